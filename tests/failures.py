#!/usr/bin/env python3
"""Prints how each failed test of ctest's last run ended: failures.py JUNIT_FILE. The last lines of its output, which say what is wrong,
stand together at the end where a log of hours would hide them."""
import sys
import xml.etree.ElementTree

MOST_TESTS, MOST_LINES, MOST_COLUMNS = 10, 8, 240


def main():
    failed = [case for case in xml.etree.ElementTree.parse(sys.argv[1]).iter('testcase') if case.get('status') == 'fail']
    for case in failed[:MOST_TESTS]:
        print(f'-- {case.get("name")} ended with:')
        output = case.findtext('system-out') or 'no output'
        for line in output.rstrip().splitlines()[-MOST_LINES:]:
            print(f'   {line[:MOST_COLUMNS]}')
    if len(failed) > MOST_TESTS:
        print(f'-- and {len(failed) - MOST_TESTS} more')


if __name__ == '__main__':
    main()

"""Finds the places of a C++ source where one small change makes another program, and writes the source in which each chosen
change can be switched on at run time (see mutation.h). Works on text as clang-format leaves it: operators between spaces,
one statement on a line. What does not compile is left out by run.py."""
import collections
import re

# at: offset; text: what stands there; change: in words; edits: [(start, end, replacement)] with {n} for the mutant's number.
Point = collections.namedtuple("Point", "path line text change edits")

OPENING, CLOSING = "([{", ")]}"
RELATION = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def blank(text):
    """The text with comments, strings and lines of the preprocessor as blanks, so that offsets stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^#[^\n]*'
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S | re.M)


def matching(code, at):
    """The offset of the bracket that closes the one at `at`, or opens it."""
    step = 1 if code[at] in OPENING else -1
    depth = 0
    while 0 <= at < len(code):
        depth += (code[at] in OPENING) - (code[at] in CLOSING)
        if depth == 0:
            return at
        at += step
    return -1


def operand(code, at, step):
    """The end of the operand of a logical operator that begins at `at` and goes left (-1) or right (1)."""
    stop = at
    while 0 <= at < len(code):
        c = code[at]
        if c in (CLOSING if step < 0 else OPENING):
            at = matching(code, at) + step
            stop = at
            continue
        if c in (OPENING if step < 0 else CLOSING) or c in ",;?":
            break
        window = code[at - 1:at + 1] if step < 0 else code[at:at + 2]
        if window in ("&&", "||"):
            break
        if c == ":" and code[at - 1] != ":" and code[at + 1] != ":":
            break
        if c == "=" and code[at - 1] not in "=!<>" and code[at + 1] != "=":
            break
        at += step
        stop = at
    first, last = (stop + 1, None) if step < 0 else (None, stop)
    return first if step < 0 else last


def skipped(code):
    """Ranges in which the compiler computes, or in which < is no comparison."""
    ranges = []
    for m in re.finditer(r"\b(constexpr|consteval|static_assert|template <|using|requires|operator)", code):
        end = code.find(";", m.end())
        brace = code.find("{", m.end())
        if m.group().startswith("constexpr") and 0 <= brace < end:
            end = matching(code, brace)
        elif m.group() in ("operator", "template <"):
            end = code.find("\n", m.end())
        ranges.append((m.start(), end if end > 0 else len(code)))
    return ranges


def points_of(path, text):
    """Every point of the source, in the order of the text."""
    code = blank(text)
    skip = skipped(code)
    points = []

    def add(at, end, change, edits):
        if any(first <= at < last for first, last in skip):
            return
        line = text.count("\n", 0, at) + 1
        begin = text.rfind("\n", 0, at) + 1
        stop = text.find("\n", at)
        points.append(Point(path, line, text[begin:stop].strip(), change, edits))

    for m in re.finditer(r"(?<= )(<|<=|>|>=)(?=[ \n])", code):
        for other in (BOUNDARY[m.group()], NEGATED[m.group()]):
            tag = f"< ::tarn_mutation::relation({{n}}, ::tarn_mutation::{RELATION[m.group()]}, ::tarn_mutation::{RELATION[other]}) >"
            add(m.start(), m.end(), f"{m.group()} -> {other}", [(m.start(), m.end(), tag)])
    for m in re.finditer(r"(?<= )(==|!=)(?=[ \n])", code):
        names = ("eq", "ne") if m.group() == "==" else ("ne", "eq")
        tag = f"== ::tarn_mutation::equality({{n}}, ::tarn_mutation::{names[0]}, ::tarn_mutation::{names[1]}) =="
        add(m.start(), m.end(), f"{m.group()} -> {'!=' if m.group() == '==' else '=='}", [(m.start(), m.end(), tag)])
    for m in re.finditer(r"(?<= )([+-]) (1\b(?![.\d'])|)", code):
        if m.group(2):
            add(m.start(), m.end(), f"{m.group()} -> {m.group(1)} 0",
                [(m.start(2), m.end(2), "(::tarn_mutation::on({n}) ? 0 : 1)")])
        elif code[m.start() - 2] not in "=(,?:{<>&|\n" and not code[:m.start()].rstrip().endswith("return"):
            names = ("add", "sub") if m.group(1) == "+" else ("sub", "add")
            tag = f"+ ::tarn_mutation::sum({{n}}, ::tarn_mutation::{names[0]}, ::tarn_mutation::{names[1]}) +"
            add(m.start(), m.end(), f"{m.group(1)} -> {'-' if m.group(1) == '+' else '+'}",
                [(m.start(1), m.end(1), tag)])
    for m in re.finditer(r"(?<= )(&&|\|\|)(?=[ \n])", code):
        first, last = operand(code, m.start() - 1, -1), operand(code, m.end(), 1)
        while code[first] in " \n":
            first += 1
        if code[first:].startswith("return "):
            first += len("return ")
        left_end, right = m.start() - 1, m.end() + 1
        while code[right] in " \n":
            right += 1
        while code[last - 1] in " \n":
            last -= 1
        open_with = "(::tarn_mutation::on({n}) || (" if m.group() == "&&" else "(!::tarn_mutation::on({n}) && ("
        add(m.start(), m.end(), f"left of {m.group()} dropped", [(first, first, open_with), (left_end, left_end, "))")])
        add(m.start(), m.end(), f"right of {m.group()} dropped", [(right, right, open_with), (last, last, "))")])
    for m in re.finditer(r"\b(if|while) \(", code):
        first, last = m.end(), matching(code, m.end() - 1)
        inside = code[first:last]
        if last < 0 or ";" in inside or re.search(r"(?<![=!<>+\-|&])=(?!=)", inside):
            continue
        if inside == "true" and "break;" not in code[last:matching(code, code.find("{", last)) + 1]:
            continue  # never run, a function ends behind it without a result
        add(m.start(), m.end(), f"{m.group(1)} never", [(first, first, "(!::tarn_mutation::on({n}) && ("), (last, last, "))")])
        if m.group(1) == "if":
            add(m.start(), m.end(), "if always", [(first, first, "(::tarn_mutation::on({n}) || ("), (last, last, "))")])
    for m in re.finditer(r"\bstd::(max|min)(<[\w:]+>)?\((?!\{)", code):
        name = {"max": "most", "min": "least"}[m.group(1)]
        start = m.end() - 1 - len(m.group(2) or "")
        add(m.start(), m.end(), f"{m.group(1)} -> {'min' if m.group(1) == 'max' else 'max'}",
            [(m.start(), start, f"::tarn_mutation::{name}"), (m.end(), m.end(), "{n}, ")])
    for m in re.finditer(r"\breturn (true|false);", code):
        add(m.start(), m.end(), f"return not {m.group(1)}",
            [(m.start(1), m.end(1), ("!" if m.group(1) == "true" else "") + "::tarn_mutation::on({n})")])
    # Whole statements on one line: calls, assignments, increments, continue and break.
    for m in re.finditer(r"(?<=[;{}:)])\n +((?!return|const|auto|int|Bytes|std::vector|using|else|case|default|static|struct|"
                         r"friend|explicit|virtual)[\w:>.()\[\]+*&-]*(?: (?:[-+|&*^]|<<)?= [^;{}\n]*|\([^;{}\n]*\)|)|continue|break);(?=\n)", code):
        statement = m.group(1)
        if not re.search(r"[=(]|\+\+|--|continue|break", statement):
            continue
        before = code[:m.start()].rstrip()
        if before.endswith(":") and "?" in before[before.rfind("\n"):]:
            continue
        if before.endswith(")") and not re.search(r"\b(if|for|while) \(.*\)$", before[before.rfind("\n"):]):
            continue  # an initialiser list, or a call that goes on
        add(m.start(1), m.end(1), "statement dropped", [(m.start(1), m.start(1), "if (::tarn_mutation::on({n})) {{}} else ")])
    return told_apart(sorted(points, key=lambda p: p.edits[0][0]))


def told_apart(points):
    """The points, with a number behind the change where a line has the same one several times."""
    times, named = collections.Counter(), []
    for p in points:
        times[p.line, p.change] += 1
        nth = times[p.line, p.change]
        named.append(p._replace(change=f"{p.change} ({nth})") if nth > 1 else p)
    return named


def rewrite(text, numbered):
    """The source with the changes of `numbered`, pairs of a number and a point, under control of mutation.h."""
    edits = []
    for number, point in numbered:
        last = point.edits[-1][1]
        for start, end, new in point.edits:
            closes = len(point.edits) == 2 and start == point.edits[1][0] and new == "))"
            # At one offset: first what closes, then what opens, that which reaches furthest first.
            edits.append((start, 0 if closes else 1, -last, end, new.format(n=number)))
    out, at = [], 0
    for start, _, _, end, new in sorted(edits, key=lambda e: e[:3]):
        assert start >= at, "edits overlap"
        out.append(text[at:start] + new)
        at = end
    return "".join(out) + text[at:]


def apart(points):
    """Of the points of one file, in the order given, those whose edits do not overlap with earlier ones."""
    taken, kept = [], []
    for point in points:
        ranges = [(start, end) for start, end, _ in point.edits if start < end]
        if any(first < end and start < last for start, end in ranges for first, last in taken):
            continue
        taken += ranges
        kept.append(point)
    return kept

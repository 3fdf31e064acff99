#!/usr/bin/env python3
"""advice.py TARN MODELS [COUNT]: for budgets that a model misses, every change said to fit is applied, and must fit as stated."""
import json
import os
import shlex
import subprocess
import sys
import tempfile

tarn, models, count = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 20
tried = told = 0
wrong = []


def analyze(model, options, report):
    command = [tarn, "analyze", model, "--cc", "none", "--report", report] + options
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300).returncode


with tempfile.TemporaryDirectory() as folder:
    report = os.path.join(folder, "r.json")
    for name in sorted(os.listdir(models)):
        model = os.path.join(models, name, "model.onnx")
        if tried >= count or not os.path.exists(model) or os.path.getsize(model) > 3e6:
            continue
        # Written so that advice has something to say: the given order, a heuristic, no overlap.
        base = ["--order", "given", "--strategy", "first_fit", "--share", "views", "--stream", "off"]
        if analyze(model, base, report) != 0:
            continue
        ram = json.load(open(report))["ram"]["total"]
        budget = ram * 9 // 10
        if budget < 64:
            continue
        os.remove(report)
        code = analyze(model, base + ["--ram", str(budget)], report)
        if code not in (5, 6):
            wrong.append(f"{name}: exit {code} for a budget below its plan")
            continue
        tried += 1
        data = json.load(open(report))
        for advice in data.get("advice", []):
            if not advice["fits"] or not advice["options"]:
                continue
            told += 1
            again = os.path.join(folder, "again.json")
            # A later option of the same name would be a second value, so the advised ones replace those of the base.
            words = shlex.split(advice["options"])
            kept = [w for i in range(0, len(base), 2) if base[i] not in words for w in base[i:i + 2]]
            code = analyze(model, kept + words + ["--ram", str(budget)], again)
            arena = json.load(open(again))["ram"]["arena"]
            if code != 0 or arena != advice["arena"]:
                wrong.append(f"{name}: {advice['options']}: exit {code}, arena {arena}, told {advice['arena']}")
print(f"{tried} budgets missed, {told} changes told to fit, {len(wrong)} of them wrong")
print("\n".join(wrong))
sys.exit(1 if wrong or tried == 0 or told == 0 else 0)

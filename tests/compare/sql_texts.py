"""sql_texts.py - the SQL of the shared folder, and the batch tool that reads many texts in one process.

Called by: sql_fixtures.py, bench/sql_vs_sqlglot.py.  Must not know: what is compared.
"""
import gzip
import json
import pathlib
import subprocess


def manifests(shared):
    """(name of the project as README.md names it, manifest) for each dbt project."""
    for folder, prefix in (("dbt", "../dbt/"), ("dbt-projects", "")):
        for project in sorted((shared / "fixtures" / folder).iterdir()):
            for file in sorted(project.glob("manifest.json*")) if project.is_dir() else []:
                opened = gzip.open(file, "rb") if file.suffix == ".gz" else open(file, "rb")
                with opened:
                    yield prefix + project.name, json.load(opened)


def compiled(manifest, kinds=None):
    """(unique id, compiled SQL) of the nodes of these resource types, all without any."""
    for name, node in sorted(manifest["nodes"].items()):
        if node.get("compiled_code") and node.get("language", "sql") == "sql":
            if kinds is None or node["resource_type"] in kinds:
                yield name, node["compiled_code"]


def dialect(manifest):
    return manifest["metadata"]["adapter_type"]


def records(texts):
    """The input of the batch tool for (dialect, text)s."""
    parts = []
    for name, text in texts:
        data = text.encode()
        parts.append(b"%s %d\n%s" % (name.encode(), len(data), data))
    return b"".join(parts)


def ask(batch, mode, texts):
    """One answer a text: `ok N`, `error ...` or `differs: ...`."""
    done = subprocess.run([str(batch), mode], input=records(texts), stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode("utf-8", "backslashreplace").split("\n")
    answers = [line for line in lines if line.startswith(("ok ", "error ", "differs: "))]
    if done.returncode != 0 or len(answers) != len(texts):
        raise AssertionError(f"the batch tool ended with {done.returncode} after {len(answers)} of {len(texts)} texts")
    return answers

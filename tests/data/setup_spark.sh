#!/usr/bin/env bash
# setup_spark.sh - installs what makes the test tables: a Python environment and the Delta jars, about 900 MB.
#
#     tests/data/setup_spark.sh FOLDER
#
# Called by: people.  Must not know: the tables.
#
# Needs Python 3.10 or newer, Java 17 or newer and Maven. Leaves FOLDER/venv and FOLDER/jars. Since Delta 4.1 the name of
# the jar carries the Spark version it is built for; only the two jars are fetched, Spark itself comes with pyspark.
set -euo pipefail

folder=${1:?usage: setup_spark.sh FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
delta=4.4.0
jars=("delta-spark_4.2_2.13" "delta-storage")

mkdir -p "$folder/jars"
[ -x "$folder/venv/bin/python" ] || python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
for jar in "${jars[@]}"; do
    if [ ! -s "$folder/jars/$jar-$delta.jar" ]; then
        mvn --quiet --batch-mode dependency:get -Dtransitive=false "-Dartifact=io.delta:$jar:$delta"
        mvn --quiet --batch-mode dependency:copy "-Dartifact=io.delta:$jar:$delta" \
            "-DoutputDirectory=$(cd "$folder/jars" && pwd)"
    fi
done
echo "ready: $folder/venv/bin/python, $folder/jars"

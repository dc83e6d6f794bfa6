"""`grade schema`: the JSON Schema of `report.json`."""

import json

import click

from grader.cli.terminal import write_out


@click.command("schema")
def command() -> int:
    """Print the JSON Schema of report.json."""
    from grader.report import Report

    write_out(json.dumps(Report.model_json_schema(), indent=1) + "\n")
    return 0

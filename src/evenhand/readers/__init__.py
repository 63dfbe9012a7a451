"""Files that come from users: opened in one place, read by one registry of formats, checked by what a caller needs.

    opening   a path or standard input, plain or compressed, as bytes or numbered lines
    layout    what a caller needs of the rows: columns, types, unique ids; every complaint names file, line and column
    registry  the formats: one module each, one line each
    focus     where the focus stands in a source

A batch is a Polars table with the line of each row in the column `LINE`. `evenhand.tsv` reads our own tables.
"""

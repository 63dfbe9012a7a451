"""`python -m evenhand` is the command line."""

from evenhand.cli.main import main

if __name__ == "__main__":
    main()

"""The explorer: a local web app over runs of any size."""

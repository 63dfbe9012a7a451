"""Charts by Altair, and how they become SVG, PNG and PDF."""

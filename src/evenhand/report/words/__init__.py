"""Words: names, sentences and tables of text that pages and the terminal share; the word tables lie beside."""

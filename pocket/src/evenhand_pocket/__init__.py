"""Small neural models that ship with Evenhand: a translator (`pocket`) and an English masked language model."""

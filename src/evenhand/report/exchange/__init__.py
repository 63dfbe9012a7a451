"""Results in other people's formats: Every Eval Ever, Hugging Face, MLflow, a model card, tables."""

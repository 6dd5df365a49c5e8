"""Proves for each Zitat whether what is quoted stands on the page that is named."""

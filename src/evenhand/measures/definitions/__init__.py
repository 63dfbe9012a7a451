"""What each measure is: statistics per cluster and a formula."""

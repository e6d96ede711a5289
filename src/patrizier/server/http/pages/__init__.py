"""What people see besides the API: the page's files, plain pages, preview pictures."""

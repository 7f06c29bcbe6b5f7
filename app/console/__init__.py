"""The operator's console: shows the core's reports and sends the operator's commands."""

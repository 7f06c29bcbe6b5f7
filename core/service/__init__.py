"""Services for a technician: doctor and commissioning."""

.PHONY: rehearse test setup

rehearse: setup
	.venv/bin/footlight rehearse

test: setup
	packaging/check.sh

setup:
	@packaging/bootstrap.sh

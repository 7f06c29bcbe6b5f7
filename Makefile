.PHONY: rehearse test test-long setup bundles

rehearse: setup
	.venv/bin/footlight rehearse

test: setup
	packaging/check.sh

test-long: setup
	packaging/check-long.sh

setup:
	@packaging/bootstrap.sh

# Builds both bundles, and starts them in a clean root file system without a network: some minutes.
bundles: setup
	rm -rf build/robot build/laptop
	packaging/bundle.sh robot build/robot
	packaging/bundle.sh laptop build/laptop
	FOOTLIGHT_ROBOT_BUNDLE=$(CURDIR)/build/robot FOOTLIGHT_LAPTOP_BUNDLE=$(CURDIR)/build/laptop \
		.venv/bin/pytest tests/packaging/test_bundle.py

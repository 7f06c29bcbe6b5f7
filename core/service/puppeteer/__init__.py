"""The puppeteer: a take or a recording as a source of human motion, for rehearsals and tests."""

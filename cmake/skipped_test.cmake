# A test that skips, as a script: -DREPORT=FILE.json -DNAME=... -DREASON=... writes the report of GoogleTest
# that scripts/count-tests reads.
file(WRITE "${REPORT}" "{\"testsuites\": [{\"name\": \"${NAME}\", \"testsuite\": [
{\"name\": \"All\", \"result\": \"SKIPPED\", \"time\": \"0s\"}]}]}\n")
message(STATUS "${NAME}: skipped: ${REASON}")

// Imports one entry, or nothing, and says how long it took.
const startedAt = performance.now()
if (process.argv[2]) await import(process.argv[2])
process.send({ elapsedMs: performance.now() - startedAt })
process.stdin.on('end', () => process.exit()).resume()

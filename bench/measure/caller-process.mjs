// A process of its own for a client under test. `{ run }` on the side channel makes calls and reports what they cost;
// the end of standard input closes the client.
import { fileURLToPath, pathToFileURL } from 'node:url'

const floorServer = fileURLToPath(new URL('../servers/floor-stdio.mjs', import.meta.url))
const [program, ...rest] = process.argv.slice(2)
const url = rest.find((text) => text.startsWith('http'))
const revision = rest.find((text) => /^\d{4}-/.test(text))
const { open } = await import(pathToFileURL(program).href)
const client = await open({
  command: process.execPath,
  args: [floorServer],
  url,
  revision,
  words: rest,
})

process.on('message', async (message) => {
  if (message.run) process.send({ done: await run(client, message.run) })
})
process.stdin.on('end', async () => {
  await client.close()
  process.exit()
})
process.stdin.resume()
process.send({ ready: true })

async function run({ call }, { operations, inFlight }) {
  const latencies = new Float64Array(operations)
  let started = 0

  async function worker() {
    while (started < operations) {
      const index = started++
      const startedAt = performance.now()
      const result = await call('hello')
      latencies[index] = (performance.now() - startedAt) * 1_000
      if (result.content[0].text !== 'hello') throw new Error('wrong answer')
    }
  }

  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { user, system } = process.cpuUsage(cpuBefore)
  const seconds = (performance.now() - startedAt) / 1_000
  return { cpuMicros: user + system, latencies: [...latencies], seconds }
}

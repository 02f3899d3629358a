/** Times one small change to a memory of 100 MB: `node servers/memory/bench/large-file.mjs [megabytes]`. Prints JSON. */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { connect } from '@parley/mcp/client'
import { createMemoryServer } from '@parley/server-memory'

const megabytes = Number(process.argv[2] ?? 100)
const folder = await mkdtemp(join(tmpdir(), 'parley-memory-bench-'))
const file = join(folder, 'memory.jsonl')
try {
  const lines = await fill()
  const client = await connect(createMemoryServer({ file }))
  const call = async (tool, args) => {
    const start = performance.now()
    const cpu = process.cpuUsage()
    const { isError, content } = await client.callTool(tool, args)
    if (isError) throw new Error(JSON.stringify(content))
    const ms = Math.round((performance.now() - start) * 10) / 10
    const { user, system } = process.cpuUsage(cpu)
    return { ms, processorMs: Math.round((user + system) / 100) / 10 }
  }
  const entity = (name) => ({ name, entityType: 'entry', observations: ['new'] })
  const report = {
    megabytes: Math.round((await stat(file)).size / 1e6),
    lines,
    firstRead: await call('open_nodes', { names: ['entry 5'] }),
    laterRead: await call('open_nodes', { names: ['entry 6'] }),
    append: await call('create_entities', { entities: [entity('one more')] }),
    appendAgain: await call('create_entities', { entities: [entity('and one more')] }),
    rewrite: await call('add_observations', {
      observations: [{ entityName: 'entry 7', contents: ['changed'] }],
    }),
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1000),
  }
  console.log(JSON.stringify(report))
  await client.close()
} finally {
  await rm(folder, { recursive: true })
}

async function fill() {
  const stream = createWriteStream(file)
  const text = 'a fact of some length that stands for what a conversation leaves behind'
  let written = 0
  let lines = 0
  while (written < megabytes * 1e6) {
    const observations = [`${text} ${lines}`, text]
    const line = `${JSON.stringify({ type: 'entity', name: `entry ${lines}`, entityType: 'entry', observations })}\n`
    written += line.length
    lines += 1
    if (!stream.write(line)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'close')
  return lines
}

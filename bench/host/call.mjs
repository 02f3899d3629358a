// CPU time of a tool call: `call.mjs host|client CALLS WARM-UP`. The host decides by rules and writes decision and outcome
// to the audit; the client calls the same server, in this process. Prints JSON.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openAuditLog } from '@parley/foundation/audit'
import { createConsent, createHost, createFileConsentStore, readRules } from '@parley/host'
import { createScriptedModel } from '@parley/host/models'

import { corpus } from './corpus.mjs'

const [, , who, calls, warmUp] = process.argv
const servers = corpus(1, 12)
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const latencies = []
let started
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

await (who === 'host' ? throughHost() : byClient())

const { user, system } = process.cpuUsage(started.cpu)
const seconds = (performance.now() - started.at) / 1_000
console.log(JSON.stringify({ cpuMicros: user + system, latencies, seconds }))

function begin() {
  started = { cpu: process.cpuUsage(), at: performance.now() }
}

async function throughHost() {
  const audit = openAuditLog({ path: join(folder, 'audit.jsonl') })
  const { rules } = readRules({ rules: [{ server: '*', tool: '*', decision: 'allow' }] })
  const consent = createConsent({
    rules,
    audit,
    remembered: createFileConsentStore(join(folder, 'consent.json')),
  })
  const total = Number(calls) + Number(warmUp)
  const model = createScriptedModel(
    ({ index, tools }) =>
      index % 2 === 0
        ? { calls: [{ name: tools[0].name, arguments: { text: 'hello' } }] }
        : 'Done.',
    { announcement: '' },
  )
  const host = createHost({ servers, model, consent, limits: { callsPerMinute: Infinity } })
  for (let at = 0; at < total; at += 1) {
    if (at === Number(warmUp)) begin()
    const before = performance.now()
    for await (const event of host.conversation().turn('Go.')) {
      if (event.type === 'result' && event.isError) throw new Error(event.content[0].text)
    }
    if (at >= Number(warmUp)) latencies.push((performance.now() - before) * 1_000)
  }
  await host.close()
  await audit[Symbol.asyncDispose]()
}

async function byClient() {
  const client = await servers[0].target.open({})
  const [{ name }] = await client.listTools().toArray()
  const total = Number(calls) + Number(warmUp)
  for (let at = 0; at < total; at += 1) {
    if (at === Number(warmUp)) begin()
    const before = performance.now()
    await client.callTool(name, { text: 'hello' })
    if (at >= Number(warmUp)) latencies.push((performance.now() - before) * 1_000)
  }
  await client.close()
}

// From the start of a process to the first request to the model: `start.mjs SERVERS in-process|child`. Prints JSON.
import { fileURLToPath } from 'node:url'

import { createConsent, createHost, createFileConsentStore, readRules } from '@parley/host'
import { createScriptedModel } from '@parley/host/models'

import { corpus } from './corpus.mjs'

const [, , count, kind] = process.argv
let asked
const model = createScriptedModel(
  () => {
    asked = { elapsedMs: performance.now(), cpu: process.cpuUsage() }
    return 'Hello.'
  },
  { announcement: '' },
)
const { rules } = readRules({ rules: [{ server: '*', tool: '*', decision: 'allow' }] })
const host = createHost({
  servers: kind === 'child' ? children() : corpus(Number(count), 12),
  model,
  consent: createConsent({
    rules,
    audit: { append: async () => ({ written: true, seq: 1, hash: '' }) },
    remembered: createFileConsentStore('/nonexistent/consent.json'),
  }),
})
for await (const _ of host.turn('Hi.')) {
  // what is measured happens before the first answer
}
await host.close()
const { elapsedMs, cpu } = asked
console.log(JSON.stringify({ elapsedMs, cpuMs: (cpu.user + cpu.system) / 1_000 }))

function children() {
  const program = fileURLToPath(new URL('../servers/floor-stdio.mjs', import.meta.url))
  return Array.from({ length: Number(count) }, (_, at) => ({
    name: `child${at + 1}`,
    target: { command: process.execPath, args: [program] },
  }))
}

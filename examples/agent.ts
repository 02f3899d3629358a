/** An agent as a server, `node dist/agent.js FOLDER`: a model that works with the files of a folder, behind one tool. */
import { fileURLToPath } from 'node:url'

import { openAuditLog } from '@parley/foundation/audit'
import { createConsent, readRules, type ConsentOptions, type HostServer } from '@parley/host'
import { createHostAgent, serveAgent } from '@parley/host/agent'
import { openModel, createScriptedModel, type Model } from '@parley/host/models'
import { serve } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'

/** Reading is allowed. About everything else the person is asked who gave the agent its work. */
const read = readRules({
  rules: [{ server: 'files', tool: '{read,list,search}*', decision: 'allow' }],
})

/** The agent with its own servers. Its caller sees one tool, `librarian`. */
export function createLibrarian(
  model: Model,
  files: HostServer,
  audit: ConsentOptions['audit'],
): Server {
  const agent = createHostAgent({
    model,
    servers: [files],
    instructions: 'You are a librarian. Answer from the files you find, and name them.',
    consent: (ask) => createConsent({ rules: read.ok ? read.rules : undefined, audit, ask }),
    limits: { callsPerTurn: 50 },
  })
  return serveAgent(agent, {
    name: 'librarian',
    version: '1.0.0',
    description: 'Finds out what is in a collection of files, and puts it in order.',
    timeoutMs: 1_800_000,
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { MODEL: name, BASE_URL: baseUrl } = process.env // and the key, as in OPENAI_API_KEY
  const model = name === undefined ? createScriptedModel() : openModel({ name, baseUrl })
  const args = ['-y', '@parley/server-filesystem', process.argv[2] ?? '.']
  const files = { name: 'files', target: { command: 'npx', args } }
  await serve(createLibrarian(model, files, openAuditLog({ path: 'audit.jsonl' })))
}

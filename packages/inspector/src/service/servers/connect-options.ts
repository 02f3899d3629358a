import type { TraceRecord, TraceRecorder } from '@parley/foundation/trace'
import type { Frame } from '@parley/mcp'
import { clientApps } from '@parley/mcp/apps'
import type { ConnectOptions } from '@parley/mcp/client'
import { errorMessage } from '@parley/mcp/json'
import { clientSkills } from '@parley/mcp/skills'
import { clientTasks } from '@parley/mcp/tasks'

import type { Auth } from '../auth/auth.ts'
import type { Questions } from '../questions/questions.ts'
import { runScope } from '../runs/runs.ts'
import { recordingFetch } from '../trace/http-record.ts'
import type { Logs } from '../trace/logs.ts'
import { isCommand } from './entry-view.ts'
import type { ServerRecord } from './server-hold.ts'
import type { Servers } from './servers.ts'
import { addNoise, noiseOf } from './stdout-noise.ts'

export interface ConnectParts {
  readonly recorder: TraceRecorder
  readonly logs: Logs
  readonly questions: Questions
  readonly auth: Auth
  readonly servers: Servers
  readonly version: string
}

/** What a server is connected with: everything it says is recorded, everything it asks is put to the user. */
export function connectOptionsFor(record: ServerRecord, parts: ConnectParts): ConnectOptions {
  const { logs, questions, auth, servers, version } = parts
  const { connectTimeoutMs } = record.settings
  const { name: server, tap, entry } = record
  const fetch = isCommand(entry) ? undefined : recordingFetch(tap, () => record.isQuiet)
  const credentials = auth.authFor(record)
  return {
    ...questions.optionsFor(record),
    ...(fetch && { fetch }),
    ...(credentials && { auth: credentials }),
    extensions: [
      ...(record.settings.offers.apps !== false ? [clientApps()] : []),
      ...(record.settings.offers.skills ? [clientSkills()] : []),
      ...(record.settings.offers.tasks ? [clientTasks()] : []),
    ],
    info: { name: 'parley-inspector', title: 'Parley Inspector', version },
    cache: false, // what is shown has just been asked
    onMessage: (frame) => onMessage(record, frame, parts),
    onStderr: record.stderr.add,
    onLog: ({ level, logger, data }) =>
      logs.add({ server, from: 'server', level, data, ...(logger !== undefined && { logger }) }),
    ...(connectTimeoutMs !== undefined && { timeouts: { connectMs: connectTimeoutMs } }),
    onDeprecated: () => undefined, // what a server asks for is not ours to choose
    onError(error, { severity }) {
      const noise = noiseOf(error)
      if (noise !== undefined) {
        addNoise(record, noise, logs)
        servers.changedSlightly()
        return
      }
      const message = errorMessage(error)
      logs.add({ server, from: 'inspector', level: severity, data: message })
    },
  }
}

/** What is sent before a program has said anything takes as long as the program to start, which is no latency. */
function isOfStart({ entry, firstReceived = 0 }: ServerRecord, { seq }: TraceRecord): boolean {
  return isCommand(entry) && seq < firstReceived
}

function onMessage(record: ServerRecord, frame: Frame, { recorder, servers }: ConnectParts): void {
  if (record.isQuiet) return
  const { direction, seq, parent, time, message } = record.tap.onMessage(frame)
  const { method, id } = { method: undefined, id: undefined, ...(message as object) } // any message, or an array of them
  if (direction === 'out' && typeof method === 'string') {
    if (record.client === undefined) record.opening.push(method)
    if (id !== undefined) runScope.getStore()?.onRequest(seq, method)
  }
  if (direction === 'in') record.firstReceived ??= seq
  if (direction === 'in' && method === undefined && parent !== undefined) {
    const sent = recorder.raw(parent)
    if (sent && !isOfStart(record, sent)) record.lastLatencyMs = time - sent.time
    servers.changedSlightly()
  }
}

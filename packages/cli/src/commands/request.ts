import type { JsonObject } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'
import { isJsonObject } from '@parley/mcp/json'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer, type Connection } from '../connection.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { createInputRequests, type QuestionFlags } from '../questions/answers.ts'
import { addQuestionFlags } from '../questions/question-flags.ts'
import { splitTarget } from '../target/target.ts'

type RequestFlags = CommonFlags & QuestionFlags

/** `parley request` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'request',
    'Sends one request with any method, and prints its result as JSON.',
    [
      ['parley request https://example.com/mcp tools/list', 'without params'],
      [
        `parley request notes tools/call '{"name":"add","arguments":{"text":"tea"}}'`,
        'with params',
      ],
      ['parley request ping -- node server.js', 'to a command'],
    ],
  )
  return addQuestionFlags(addTargetFlags(command))
    .argument('[words...]', 'target, method, params')
    .usage('[target] <method> [params] [options] [-- command]')
    .action(async (words: readonly string[], flags: RequestFlags) => {
      const { word, rest } = splitWords(words, flags, context)
      const [method, text = '{}', ...more] = rest
      if (method === undefined || more.length > 0) {
        throw new CliError('error', 'name one method', {
          hint: 'parley request TARGET METHOD [PARAMS], for example: parley request notes tools/list',
        })
      }
      const params = readParams(text)
      const { options } = await createInputRequests(flags, context.io)
      await withServer(
        word,
        flags,
        context,
        async ({ client, printer, call }) => {
          const result = await send(client, method, params, call)
          printer.json(result)
          if (method === 'tools/call' && result['isError'] === true) {
            throw new CliError(
              'tool_error',
              `${typeof params['name'] === 'string' ? params['name'] : 'the tool'} failed`,
            )
          }
        },
        options,
      )
    })
}

/** A ping is a request of some revisions only; the client knows what takes its place in the others. */
async function send(
  client: Client,
  method: string,
  params: JsonObject,
  call: Connection['call'],
): Promise<JsonObject> {
  if (method !== 'ping') return client.request(method, params, call)
  await client.ping({ signal: call.signal })
  return {}
}

/** A line that begins with a method has no target: it means the only configured server. */
function splitWords(words: readonly string[], flags: CommonFlags, context: CommandContext) {
  const [first = '', second] = words
  const isMethod = /^(?:ping|[a-z]+(?:\/[a-z_]+)+)$/i.test(first)
  const isAlone = second === undefined || second.trimStart().startsWith('{')
  return isMethod && isAlone ? { word: undefined, rest: words } : splitTarget(words, flags, context)
}

function readParams(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // said below
  }
  throw new CliError('error', `the params are not a JSON object: ${text}`, {
    hint: `Quote them for the shell: '{"name":"echo"}'`,
  })
}

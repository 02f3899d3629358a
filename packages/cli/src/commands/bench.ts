import { runLoad } from '@parley/foundation/load'
import { formatBars } from '@parley/foundation/terminal'
import { isMcpError, isRpcError } from '@parley/mcp'
import type { Command } from 'commander'

import { reportOf, type LoadReport, type Sample } from '../bench/report.ts'
import { fitToSchema, readToolArguments } from '../call/tool-arguments.ts'
import { newCommand, type CommandContext } from '../command.ts'
import { withServer } from '../connection.ts'
import { hintFor } from '../did-you-mean.ts'
import { CliError } from '../exit.ts'
import {
  addTargetFlags,
  positiveInteger,
  positiveNumber,
  seconds,
  type CommonFlags,
} from '../flags.ts'
import { flat, type Printer } from '../output/printer.ts'
import { createInputRequests } from '../questions/answers.ts'
import { splitTarget } from '../target/target.ts'

interface BenchFlags extends CommonFlags {
  readonly concurrency: number
  readonly duration: number
  readonly rate?: number | undefined
  readonly warmup: number
}

/** Names of a server may look like flags. */
export const dashes = 'words-first'

/** `parley bench` */
export function build(context: CommandContext): Command {
  const command = newCommand('bench', 'Calls a tool many times and measures how long it takes.', [
    ['parley bench echo message=hi -c 8 -d 10 -- node server.js', 'eight callers for ten seconds'],
    [
      'parley bench https://example.com/mcp echo message=hi --rate 200',
      '200 calls a second, answered or not',
    ],
  ])
  return addTargetFlags(command)
    .argument('[words...]', 'target, tool, arguments')
    .usage('[target] <tool> [key=value]... [options] [-- command]')
    .option(
      '-c, --concurrency <number>',
      'callers at once; with --rate at most 1000',
      positiveInteger,
      1,
    )
    .option('-d, --duration <time>', 'how long, such as 30s', seconds, 5)
    .option(
      '--rate <calls>',
      'calls a second, whether or not earlier ones were answered',
      positiveNumber,
    )
    .option('--warmup <time>', 'warm-up calls that are not counted; 0 for none', seconds, 0.5)
    .action(async (words: readonly string[], flags: BenchFlags) => {
      const { word, rest } = splitTarget(words, flags, context)
      const [tool, ...pairs] = rest
      if (tool === undefined) {
        throw new CliError('error', 'no tool was named', {
          hint: 'parley bench TARGET TOOL key=value, or parley bench TOOL key=value -- COMMAND',
        })
      }
      const input = await readToolArguments(pairs, context.io)
      const questions = await createInputRequests(flags, context.io)
      await withServer(
        word,
        flags,
        context,
        async ({ client, printer, endProgress, call: { signal, onProgress } }) => {
          const tools = await client.listTools({ signal }).toArray()
          const found = tools.find(({ name }) => name === tool)
          if (found === undefined) {
            const names = tools.map(({ name }) => name)
            const hint = hintFor(tool, names)
            throw new CliError('tool_error', `unknown tool ${JSON.stringify(tool)}`, { hint })
          }
          const args = fitToSchema(input, found.inputSchema)
          const call = async (cutOff: AbortSignal) => {
            try {
              const { isError } = await client.callTool(tool, args, { signal: cutOff })
              return isError ? 'tool_error' : undefined
            } catch (error) {
              return isMcpError(error) || isRpcError(error) ? error.code : 'error'
            }
          }
          const { concurrency, rate } = flags
          const most = rate === undefined ? concurrency : Math.max(concurrency, 1_000)
          const plan = { concurrency: most, rate, signal }
          const samples: Sample[] = []
          const unsent: number[] = []
          const nowhere = { add: () => {}, addUnsent: () => {} }
          if (flags.warmup > 0) {
            await runLoad(call, { ...plan, durationMs: flags.warmup * 1_000 }, nowhere)
          }
          const start = performance.now()
          const timer = setInterval(() => {
            const progress = Math.round((performance.now() - start) / 100) / 10
            onProgress({ progress, total: flags.duration })
          }, 250)
          const durationMs = flags.duration * 1_000
          const sink = {
            add: (ms: number, error: string | undefined) => void samples.push({ ms, error }),
            addUnsent: (ms: number) => void unsent.push(ms),
          }
          await runLoad(call, { ...plan, durationMs }, sink).finally(() => clearInterval(timer))
          const elapsedMs = Math.max(performance.now() - start, 1)
          endProgress()
          // Whoever stops it early wants to know as much as is known.
          const report = reportOf({ samples, unsent, elapsedMs })
          print(report, printer)
          signal.throwIfAborted()
          if (report.answered === 0) throw nothingWorked(tool, report)
        },
        { ...questions.options, validation: { output: 'off' } },
      )
    })
}

function nothingWorked(tool: string, { calls, errors }: LoadReport): CliError {
  const codes = Object.keys(errors).join(', ')
  return new CliError('tool_error', `all ${calls} calls of ${tool} failed: ${codes}`, {
    hint: `\`parley call\` with the same arguments shows why.`,
  })
}

function print(report: LoadReport, printer: Printer): void {
  if (printer.isJson) return printer.json(report)
  const { calls, answered, elapsedMs, perSecond, errors, unsent, latency, histogram } = report
  const took = (elapsedMs / 1_000).toFixed(1)
  printer.line(
    `${calls} calls in ${took} s: ${perSecond.toFixed(perSecond < 100 ? 1 : 0)} a second`,
  )
  if (answered > 0) printTimes(latency, histogram, printer)
  const failed = Object.entries(errors)
  if (failed.length > 0)
    printer.line(`\nfailed: ${failed.map(([code, count]) => `${flat(code)} ${count}`).join(', ')}`)
  if (unsent > 0) printer.line(`\n${unsent} calls were due and not sent: too many waited.`)
}

function printTimes(
  latency: LoadReport['latency'],
  histogram: LoadReport['histogram'],
  printer: Printer,
): void {
  printer.table(
    Object.entries(latency).map(([name, ms]) => [
      `  ${name.replace('p999', 'p99.9')}`,
      ms.toFixed(2),
      'ms',
    ]),
    [{ overflow: 'keep' }, { align: 'right' }, {}],
  )
  printer.line()
  const bars = histogram.map(({ upTo, count }) => ({ label: `≤ ${upTo} ms`, value: count }))
  printer.line(formatBars(bars, Math.min(printer.width, 80)))
}

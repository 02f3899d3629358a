import { setTimeout as sleep } from 'node:timers/promises'

import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer } from '../connection.ts'
import { addTargetFlags, milliseconds, positiveNumber, type CommonFlags } from '../flags.ts'
import { onlyTarget } from '../target/target.ts'

interface PingFlags extends CommonFlags {
  readonly count: number
  readonly interval: number
}

/** `parley ping` */
export function build(context: CommandContext): Command {
  const command = newCommand('ping', 'Measures how long a server takes to answer.', [
    ['parley ping https://example.com/mcp', 'four times, one second apart'],
    ['parley ping -c 100 -i 10 -- node server.js', 'a hundred times, ten milliseconds apart'],
  ])
  return addTargetFlags(command)
    .argument('[words...]', 'target')
    .usage('[target] [options] [-- command]')
    .option('-c, --count <number>', 'how many pings', positiveNumber, 4)
    .option(
      '-i, --interval <time>',
      'the time between two pings, such as 100ms',
      milliseconds,
      1_000,
    )
    .action(async (words: readonly string[], flags: PingFlags) => {
      const word = onlyTarget(words, flags, context)
      await withServer(word, flags, context, async ({ client, printer, call: { signal } }) => {
        const times: number[] = []
        const next = async (at: number) => {
          if (at > 0) await sleep(flags.interval, undefined, { signal })
          return client.ping({ signal })
        }
        for (let at = 0; at < flags.count; at += 1) {
          const ms = await next(at).catch((error: unknown) => {
            // Whoever stops it wants to know as much as is known.
            if (signal.aborted && times.length > 0) return undefined
            throw error
          })
          if (ms === undefined) break
          times.push(ms)
          if (!printer.isJson && !flags.quiet) printer.line(`${at + 1}: ${ms.toFixed(2)} ms`)
        }
        const sum = times.reduce((total, ms) => total + ms, 0)
        const [min, mean, max] = [Math.min(...times), sum / times.length, Math.max(...times)]
        if (printer.isJson) printer.json({ count: times.length, min, mean, max, times })
        else {
          printer.line(
            `min ${min.toFixed(2)} ms, mean ${mean.toFixed(2)} ms, max ${max.toFixed(2)} ms`,
          )
        }
        signal.throwIfAborted()
      })
    })
}

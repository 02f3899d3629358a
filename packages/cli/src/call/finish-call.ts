import { safeJson } from '@parley/foundation/terminal'
import type { ToolCallResult } from '@parley/mcp/client'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import { printContent } from '../output/content.ts'
import { createPrinter, type Printer } from '../output/printer.ts'
import type { Assertion } from './assertion.ts'
import { invalid } from './invalid.ts'

/** What decides how a result is judged. */
export interface FinishFlags extends CommonFlags {
  readonly expectSuccess?: boolean | undefined
  readonly validate?: boolean | undefined
}

/** Prints a result, and rejects with what is wrong about it. */
export function finishCall(
  result: ToolCallResult,
  about: {
    readonly tool: string
    readonly latencyMs: number
    readonly assertions: readonly Assertion[]
    readonly flags: FinishFlags
    readonly hint?: string | undefined
  },
  { io }: CommandContext,
): void {
  const { tool, latencyMs, assertions, flags, hint } = about
  const toError = flags.expectSuccess === true && result.isError === true
  const printer = createPrinter(toError ? { ...io, stdout: io.stderr } : io, flags)
  const { issues, ...wire } = result
  if (printer.isJson && !toError) printer.json(wire)
  else if (!printer.isJson) printResult(wire, printer)

  if (flags.validate && issues) throw invalid('the result does not match the output schema', issues)
  const failed = assertions
    .map((assertion) => ({ assertion, ...assertion.check({ ...wire, latencyMs }) }))
    .filter(({ holds }) => !holds)
  const isAsserted = assertions.some(({ text }) => /^\s*\/?isError\b/.test(text))
  if (result.isError && !isAsserted) {
    const details = toError ? { result: wire } : undefined
    throw new CliError('tool_error', `${tool} failed`, { hint, details })
  }
  if (failed.length > 0) {
    const lines = failed.map(
      ({ assertion, seen }) => `${assertion.text} (is ${safeJson(seen ?? null)})`,
    )
    throw new CliError('assertion_failed', `not true: ${lines.join('; ')}`)
  }
}

function printResult(result: ToolCallResult, printer: Printer): void {
  printContent(result.content, printer)
  if (result.structuredContent !== undefined && result.content.length === 0) {
    printer.json(result.structuredContent)
  }
}

import { safeText } from '@parley/foundation/terminal'
import type { Tool } from '@parley/mcp'

import { usageWords } from '../call/usage-hint.ts'
import { describeIcons } from '../output/icons.ts'
import { flat, type Printer } from '../output/printer.ts'
import type { Described } from './find-described.ts'
import { schemaRows, type SchemaRow } from './schema-rows.ts'

/** Shows everything about one thing: what it is called, what it says about itself, and what it takes and gives. */
export function printDescribed(found: Described, printer: Printer): void {
  const { colors } = printer
  const { value } = found
  const title = titleOf(found)
  printer.line(colors.bold(flat(title ?? value.name)))
  printer.table(facts(found, title), [
    { overflow: 'keep', style: colors.dim },
    { overflow: 'wrap' },
  ])
  if (value.description !== undefined) {
    printer.line(`\n${safeText(value.description, { lineLength: 4_000 })}`)
  }
  if (found.kind === 'tool') {
    printRows('arguments', schemaRows(found.value.inputSchema), printer)
    const { outputSchema } = found.value
    if (outputSchema !== undefined) printRows('result', schemaRows(outputSchema), printer)
    const command = printer.ours('parley call TARGET')
    printer.line(`\n${colors.dim(command)} ${usageWords(found.value)}`)
  }
  if (found.kind === 'prompt') {
    const rows = (found.value.arguments ?? []).map((argument): SchemaRow => ({
      path: flat(argument.name, 60),
      type: argument.title === undefined ? 'text' : flat(argument.title, 60),
      isRequired: argument.required === true,
      about: flat(argument.description, 400),
    }))
    printRows('arguments', rows, printer)
  }
}

function titleOf({ kind, value }: Described): string | undefined {
  return value.title ?? (kind === 'tool' ? value.annotations?.title : undefined)
}

function facts({ kind, value }: Described, title: string | undefined): readonly string[][] {
  const name = title === undefined ? [] : [['name', flat(value.name)]]
  const location =
    'uri' in value
      ? [['URI', flat(value.uri, 4_000)]]
      : 'uriTemplate' in value
        ? [['template', flat(value.uriTemplate, 4_000)]]
        : []
  const type =
    'mimeType' in value && value.mimeType !== undefined ? [['type', flat(value.mimeType)]] : []
  const size = 'size' in value && value.size !== undefined ? [['size', `${value.size} bytes`]] : []
  const hints = kind === 'tool' ? hintsOf(value) : []
  const icons =
    value.icons === undefined || value.icons.length === 0
      ? []
      : [['icons', describeIcons(value.icons)]]
  return [['kind', kind], ...name, ...location, ...type, ...size, ...hints, ...icons]
}

/** What the server says of itself; nobody has checked it. */
function hintsOf({ annotations = {} }: Tool): readonly string[][] {
  const claims = [
    annotations.readOnlyHint === true ? 'only reads' : undefined,
    annotations.readOnlyHint === false ? 'changes something' : undefined,
    annotations.destructiveHint === true ? 'may destroy' : undefined,
    annotations.destructiveHint === false ? 'destroys nothing' : undefined,
    annotations.idempotentHint === true ? 'the same when repeated' : undefined,
    annotations.openWorldHint === true ? 'reaches other systems' : undefined,
    annotations.openWorldHint === false ? 'stays within the server' : undefined,
  ].filter((each) => each !== undefined)
  return claims.length === 0 ? [] : [['says that it', claims.join(', ')]]
}

function printRows(heading: string, rows: readonly SchemaRow[], printer: Printer): void {
  const { colors } = printer
  printer.line(`\n${colors.bold(heading)}${rows.length === 0 ? ': none' : ''}`)
  if (rows.length === 0) return
  printer.table(
    rows.map(({ path, type, isRequired, about }) => [
      `  ${path}`,
      type,
      isRequired ? 'required' : '',
      about,
    ]),
    [
      { overflow: 'keep', style: colors.cyan },
      { overflow: 'wrap' },
      { overflow: 'keep', style: colors.dim },
      { overflow: 'wrap' },
    ],
  )
}

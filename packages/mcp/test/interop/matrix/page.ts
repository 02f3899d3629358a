import { readFileSync } from 'node:fs'

import type { Channel } from '../../../../../test-support/peers/servers.ts'

/** What became of one feature, or of the connection, between one client and one server. */
export interface Cell {
  readonly row: string
  readonly server: string
  readonly client: string
  readonly channel: Channel
  readonly outcome: Outcome
}
export type Outcome =
  | { readonly kind: 'settled'; readonly revision: string }
  | { readonly kind: 'works' }
  | { readonly kind: 'lacking'; readonly why: string }

const start = /<!-- results: .* -->\n/
const end = '<!-- end of results -->'

/** The page with these results in place of those it has. */
export function replaceResults(page: string, cells: readonly Cell[]): string {
  const [marker] = start.exec(page) ?? []
  const from = marker === undefined ? -1 : page.indexOf(marker)
  const to = page.indexOf(end)
  if (marker === undefined || to < from) throw new Error('the page has no place for results')
  return `${page.slice(0, from)}${marker}\n${renderTables(cells)}\n${page.slice(to)}`
}

/** A table for each server; a cell says one thing where both channels agree. */
function renderTables(cells: readonly Cell[]): string {
  const servers = [...new Set(cells.map(({ server }) => server))]
  const tables = servers.map((server) => `### Server: ${server}\n\n${renderTable(cells, server)}`)
  return [`With ${listVersions()}.\n`, ...tables].join('\n')
}

function listVersions(): string {
  const names = ['sdk', 'client', 'server', 'server-everything']
  const versions = names.map((name) => {
    const manifest = `../../../../../node_modules/@modelcontextprotocol/${name}/package.json`
    const text = readFileSync(new URL(manifest, import.meta.url), 'utf8')
    const { version } = JSON.parse(text) as { version: string } // every manifest has one
    return `\`@modelcontextprotocol/${name}\` ${version}`
  })
  return versions.join(', ')
}

function renderTable(all: readonly Cell[], server: string): string {
  const cells = all.filter((cell) => cell.server === server)
  const rows = [...new Set(cells.map(({ row }) => row))]
  const clients = [...new Set(cells.map(({ client }) => client))]
  const notes: string[] = []

  const lines = rows.map((row) => {
    const texts = clients.map((client) => {
      const here = cells.filter((cell) => cell.row === row && cell.client === client)
      return renderChannels(here, notes)
    })
    return `| ${[row, ...texts].join(' | ')} |`
  })
  const table = [`| | ${clients.join(' | ')} |`, `|${'---|'.repeat(clients.length + 1)}`, ...lines]
  const legend = notes.map((why, index) => `${index + 1}. ${why}`)
  return `${[...table, ...(legend.length > 0 ? ['', ...legend] : [])].join('\n')}\n`
}

function renderChannels(cells: readonly Cell[], notes: string[]): string {
  const texts = cells.map(({ outcome }) => render(outcome, notes))
  const isSame = texts.every((text) => text === texts[0])
  if (isSame) return texts[0] ?? ''
  return cells.map(({ channel }, index) => `${channel} ${texts[index]}`).join(', ')
}

function render(outcome: Outcome, notes: string[]): string {
  switch (outcome.kind) {
    case 'settled':
      return outcome.revision
    case 'works':
      return '✓'
    case 'lacking': {
      if (!notes.includes(outcome.why)) notes.push(outcome.why)
      return `– (${notes.indexOf(outcome.why) + 1})`
    }
  }
}

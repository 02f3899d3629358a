import { Problem } from '../api/problem.ts'
import type { Queries, RegistryDatabase } from '../storage/tables.ts'

/** What somebody says is wrong with a server. */
export interface Report {
  readonly name: string
  /** The version they looked at. */
  readonly version: string
  readonly kind: ReportKind
  readonly text: string
  /** Who said so: `method:subject`, or `anonymous`. */
  readonly author: string
  readonly at: string
}

/** What can be wrong. */
export const reportKinds = ['malware', 'impersonation', 'spam', 'broken', 'other'] as const

export type ReportKind = (typeof reportKinds)[number]

/** Reports that are kept: of one name, and of all. Anybody may report, so there must be an end. */
const mostOfName = 50
const mostOfAll = 10_000
const maxShown = 200
const maxCharacters = 1_000

/** The newest first, of one name or of all. */
export async function readReports(
  queries: Queries,
  name: string | undefined,
): Promise<readonly Report[]> {
  const reports = queries
    .selectFrom('registry_reports')
    .select(['name', 'version', 'kind', 'text', 'author', 'at'])
    .orderBy('id', 'desc')
    .limit(maxShown)
  return (name === undefined ? reports : reports.where('name', '=', name)).execute()
}

/** Keeps a report for moderators. Throws a problem for one that cannot be kept. */
export async function addReport(
  { queries }: RegistryDatabase,
  report: Omit<Report, 'at' | 'kind'> & { readonly kind: string },
  now: () => number,
): Promise<void> {
  const { name, text } = report
  const kind = reportKinds.find((candidate) => candidate === report.kind)
  if (kind === undefined) {
    throw wrong('kind', `must be one of ${reportKinds.join(', ')}`)
  }
  if (text.length > maxCharacters || text.includes('\0')) {
    throw wrong('text', `must have at most ${maxCharacters} characters, and no U+0000`)
  }
  const count = async (own: boolean) => {
    const counted = queries
      .selectFrom('registry_reports')
      .select((build) => build.fn.countAll().as('count'))
    const found = own ? counted.where('name', '=', name) : counted
    return Number((await found.executeTakeFirstOrThrow()).count)
  }
  if ((await count(true)) >= mostOfName || (await count(false)) >= mostOfAll) {
    throw new Problem(503, 'There are as many reports as can be kept: moderators know of it.')
  }
  const at = new Date(now()).toISOString()
  await queries
    .insertInto('registry_reports')
    .values({ ...report, kind, at })
    .execute()
}

/** Forgets the reports of a name; resolves with how many there were. */
export async function dismissReports({ queries }: RegistryDatabase, name: string): Promise<number> {
  const { numDeletedRows } = await queries
    .deleteFrom('registry_reports')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

function wrong(field: string, message: string): Problem {
  return new Problem(422, `The report is not complete: ${field} ${message}.`, {
    details: [{ message, location: `body.${field}` }],
  })
}

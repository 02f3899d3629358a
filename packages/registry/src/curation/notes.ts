import { Problem } from '../api/problem.ts'
import type { Queries, RegistryDatabase } from '../storage/tables.ts'

/** What a moderator tells the others about a name. */
export interface ModerationNote {
  readonly name: string
  readonly text: string
  readonly author: string
  readonly at: string
}

/** Notes that are shown, and kept of one name. */
const maxNotes = 200
const maxCharacters = 2_000

/** The newest first, of one name or of all. */
export async function readNotes(
  queries: Queries,
  name: string | undefined,
): Promise<readonly ModerationNote[]> {
  const notes = queries
    .selectFrom('registry_notes')
    .select(['name', 'text', 'author', 'at'])
    .orderBy('id', 'desc')
    .limit(maxNotes)
  return (name === undefined ? notes : notes.where('name', '=', name)).execute()
}

export async function addNote(
  { queries }: RegistryDatabase,
  { name, text }: { readonly name: string; readonly text: string },
  { author, now }: { readonly author: string; readonly now: () => number },
): Promise<void> {
  const isText = text.trim() !== '' && text.length <= maxCharacters && !text.includes('\0')
  if (name === '' || name.length > 200 || !isText) {
    throw new Problem(
      422,
      `A note needs a name, and a text of at most ${maxCharacters} characters.`,
    )
  }
  const { count } = await queries
    .selectFrom('registry_notes')
    .select((build) => build.fn.countAll().as('count'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxNotes) {
    throw new Problem(400, `${name} has ${maxNotes} notes already.`)
  }
  const at = new Date(now()).toISOString()
  await queries.insertInto('registry_notes').values({ name, text, author, at }).execute()
}

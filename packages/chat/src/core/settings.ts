import { changeLockedFile, readPrivateFile } from '@parley/foundation/files'
import * as v from 'valibot'

const server = v.object({ file: v.string(), name: v.string(), shown: v.string() })

/** The chat's state file. A part that cannot be read is left out, so that an older or newer Parley starts too. */
const stateFile = v.object({
  /** The model, and its address where it is not the provider's own. */
  model: kept(v.object({ name: v.string(), baseUrl: v.optional(v.string()) })),
  /** Folders that servers are told about. */
  roots: kept(listOf(v.string())),
  /** Servers of other applications' files, with what was shown of each when it was added. */
  servers: kept(listOf(server)),
  /** Servers that were written to the user's own configuration from here. */
  own: kept(listOf(v.string())),
  /** The welcome is over. */
  isSetUp: kept(v.boolean()),
})

/** What was chosen in the page, for the next start. */
export type ChatSettings = v.InferOutput<typeof stateFile>

function kept<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(v.fallback(v.optional(schema), undefined))
}

/** The items of a list that can be read. */
function listOf<Item extends v.GenericSchema>(item: Item) {
  return v.pipe(
    v.array(v.unknown()),
    v.transform((items): readonly v.InferOutput<Item>[] => items.filter((each) => v.is(item, each))),
  )
}

/** What is kept; nothing if there is no file, or it is none of ours. */
export async function readSettings(file: string): Promise<ChatSettings> {
  return parse(await readPrivateFile(file))
}

/** Changes it, whole or not at all. */
export async function changeSettings(
  file: string,
  change: (settings: ChatSettings) => ChatSettings,
): Promise<void> {
  await changeLockedFile(file, (text) => `${JSON.stringify(change(parse(text)), undefined, 2)}\n`)
}

function parse(text: string | undefined): ChatSettings {
  if (text === undefined) return {}
  try {
    return v.parse(stateFile, JSON.parse(text))
  } catch {
    return {} // a file of another program, or half a file
  }
}

import { changeLockedFile, readPrivateFile } from '@parley/foundation/files'
import * as v from 'valibot'

/** What was chosen in the page, for the next start. */
export interface ChatSettings {
  /** The model, and its address where it is not the provider's own. */
  readonly model?: { readonly name: string; readonly baseUrl?: string | undefined } | undefined
  /** Folders that servers are told about. */
  readonly roots?: readonly string[] | undefined
  /** Servers of other applications' files, with what was shown of each when it was added. */
  readonly servers?:
    | readonly { readonly file: string; readonly name: string; readonly shown: string }[]
    | undefined
  /** Servers that were written to the user's own configuration from here. */
  readonly own?: readonly string[] | undefined
  /** The model names new conversations. */
  readonly titles?: 'model' | undefined
  /** The welcome is over. */
  readonly isSetUp?: boolean | undefined
}

const server = v.object({ file: v.string(), name: v.string(), shown: v.string() })

/** The state file. A part that cannot be read is left out, so that an older or newer Parley starts too. */
const stateFile: v.GenericSchema<unknown, ChatSettings> = v.object({
  model: kept(v.object({ name: v.string(), baseUrl: v.optional(v.string()) })),
  roots: kept(listOf(v.string())),
  servers: kept(listOf(server)),
  own: kept(listOf(v.string())),
  titles: kept(v.literal('model')),
  isSetUp: kept(v.boolean()),
})

function kept<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(v.fallback(v.optional(schema), undefined))
}

/** The items of a list that can be read. */
function listOf<Item extends v.GenericSchema>(item: Item) {
  return v.pipe(
    v.array(v.unknown()),
    v.transform((items): readonly v.InferOutput<Item>[] =>
      items.filter((each) => v.is(item, each)),
    ),
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

/**
 * Names that a person takes for others: letters of other scripts, digits for letters, accents, hidden characters.
 *
 * The host warns of them before a call, its rules that ask or forbid match them, and the search for instructions to a model
 * reads through them. Which scripts mix in one word is the business of `mixedScripts` in `address/`.
 */

/** A tool of a server, by name. */
export interface UsedName {
  /** The server. */
  readonly server: string
  /** The tool. */
  readonly tool: string
}

/** Two names that a person may take for one. */
export interface LookAlike {
  /** The name that was looked at. */
  readonly name: UsedName
  /** The name that it looks like. */
  readonly like: UsedName
  /** Which part looks alike. */
  readonly what: 'server' | 'tool'
}

const maxNameLength = 256
const maxFound = 100

/** Names that look like others: letters of other scripts, `l` for `I`, hidden characters, accents. */
export function findLookAlikes(names: Iterable<UsedName>): readonly LookAlike[] {
  const found: LookAlike[] = []
  const servers = new Map<string, UsedName>()
  const tools = new Map<string, UsedName>()
  for (const name of names) {
    if (found.length >= maxFound) break
    compare(servers, name, 'server', found)
    compare(tools, name, 'tool', found)
  }
  return found
}

function compare(
  names: Map<string, UsedName>,
  name: UsedName,
  what: 'server' | 'tool',
  found: LookAlike[],
): void {
  const key = skeletonOf(name[what])
  const like = names.get(key)
  if (like === undefined) names.set(key, name)
  else if (like[what] !== name[what]) found.push({ name, like, what })
}

/** The same for names that look the same. */
export function skeletonOf(name: string): string {
  const letters = foldName(name.slice(0, maxNameLength))
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('cl', 'd')
}

/** A name letter by letter as it looks: plain letters, and of those that look alike always the same one. */
export function foldName(name: string): string {
  return plainLetters(name).replaceAll(
    asciiLookAlikes,
    (letter) => prototypes.get(letter) ?? letter,
  )
}

/** Small Latin letters for all that look like them: without accents and invisible characters. It can still be read. */
export function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu, '')
    .toLowerCase()
    .replaceAll(otherLookAlikes, (letter) => prototypes.get(letter) ?? letter)
}

/** Pairs of a letter and the one it looks like. */
const pairs =
  'аa бb ҍb вb ԁd еe ёe һh нh іl їl јj кk ӏl мm пn оo рp гr ѕs тt цu уy ѵv ԝw шw хx ԛq сc ҽe αa βb ϲc εe ηn ιl κk λa νv οo ρp τt υu ωw χx γy ϳj ոn սu օo հh ցg յj ղn ւl ѡw ıl ɩl ɑa ɡg ʀr ꮃw ꭺa ꮯc ꭼe ꮋh ꭻj ꮶk ꮮl ꮇm ꮲp ꮪs ꭲt ꮩv ꮓz 0o 1l il |l !l 5s $s @a ‐- ‑- ‒- –- —- −- ˗- ⁃- ․. ٠. ۰. ∕/ ⁄/ ˍ_ ꞁl ǀl ∣l'

const prototypes = new Map(
  pairs.split(' ').map((pair) => {
    const [letter = '', like = ''] = Array.from(pair)
    return [letter, like]
  }),
)

const lookAlikes = [...prototypes.keys()]
const asciiLookAlikes = new RegExp(
  `[${lookAlikes.filter((letter) => letter < '\u0080').join('')}]`,
  'g',
)
const otherLookAlikes = new RegExp(
  `[${lookAlikes.filter((letter) => letter >= '\u0080').join('')}]`,
  'gu',
)

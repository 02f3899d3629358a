/**
 * The words of a text, in lower case and singular: split at everything that is no letter or digit, and at the humps of
 * camelCase. Scripts that are written without spaces are split into characters.
 */
export function words(text: string): string[] {
  const spaced = text
    .normalize('NFKC')
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, ' $& ')
  const found = spaced.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return found.map(singular)
}

/** Only so far that plural and singular of common words meet; both sides of the search pass through here. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1)
}

/** Words of a question that say nothing about the tool. */
const emptyWords = new Set(
  words(
    'a an and are as at be by can could do does for from has have how i in into is it its me my need of on or our please should some that the their them there this those to tool tools use using want was we what when where which will with would you your',
  ),
)

/** The words of a query that count; all of them if none does. */
export function queryWords(query: string): readonly string[] {
  const all = [...new Set(words(query))]
  const notifying = all.filter((word) => !emptyWords.has(word))
  return notifying.length === 0 ? all : notifying
}

/** Verbs of tools, with the synonyms that authors use. */
const actions = [
  'create add new make insert open',
  'delete remove erase drop destroy',
  'get read fetch show view retrieve load describe',
  'list enumerate browse all',
  'search find query lookup',
  'update edit change modify set patch replace',
  'send post publish submit',
  'run execute call invoke start',
  'stop cancel abort kill close',
  'copy duplicate clone',
  'rename move',
].map(words)

/** Nouns of tools, with synonyms. */
const things = [
  'folder directory',
  'user account member person',
  'message mail email',
  'picture image photo',
].map(words)

const actionWords = new Set(actions.flat())
const synonyms = new Map<string, readonly string[]>()
for (const group of [...actions, ...things]) {
  for (const word of group) {
    synonyms.set(
      word,
      group.filter((other) => other !== word),
    )
  }
}

/** Other words for the same thing. */
export function synonymsOf(word: string): readonly string[] {
  return synonyms.get(word) ?? []
}

/** Whether a word says what is done, which many tools have in common, and not to what. */
export function isAction(word: string): boolean {
  return actionWords.has(word)
}

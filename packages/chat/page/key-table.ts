import { groupKeys, pageKeys, traceKeys, type KeyTable } from '@parley/page/shell/key-table'

/** Every key of the page. Handlers ask `findKey`, the list of keys shows the table: neither can know more than the other. */
export const keyTable = {
  palette: pageKeys.palette,
  newChat: { keys: ['Mod+O'], place: 'page', does: 'New chat' },
  settings: pageKeys.settings,
  keys: pageKeys.keys,
  edit: { keys: ['ArrowUp'], place: 'page', does: 'Edit the last message, in an empty field' },
  cancel: { keys: ['Escape'], place: 'page', does: 'Stop the answer, or deny' },
  allow: { keys: ['y'], place: 'page', does: 'Allow once, in a question' },
  deny: { keys: ['n'], place: 'page', does: 'Deny, in a question' },
  nextPane: pageKeys.nextPane,
  previousPane: pageKeys.previousPane,
  ...traceKeys,
} as const satisfies KeyTable

/** The list of keys, as it is shown. */
export const keyGroups = groupKeys(keyTable)

/** In the order of the tab bar; `letter` follows `g`. */
export const tabs = [
  { id: 'tools', label: 'Tools', letter: 't', icon: 'wrench' },
  { id: 'resources', label: 'Resources', letter: 'r', icon: 'file' },
  { id: 'prompts', label: 'Prompts', letter: 'p', icon: 'message' },
  { id: 'skills', label: 'Skills', letter: 's', icon: 'spark' },
  { id: 'requests', label: 'Requests', letter: 'q', icon: 'inbox' },
  { id: 'tasks', label: 'Tasks', letter: 'k', icon: 'clock' },
  { id: 'logs', label: 'Logs', letter: 'l', icon: 'list' },
  { id: 'overview', label: 'Overview', letter: 'o', icon: 'info' },
  { id: 'auth', label: 'Auth', letter: 'a', icon: 'key' },
  { id: 'bench', label: 'Bench', letter: 'b', icon: 'gauge' },
  { id: 'collections', label: 'Collections', letter: 'c', icon: 'bookmark' },
] as const

/** A tab's name in the address. */
export type TabId = (typeof tabs)[number]['id']

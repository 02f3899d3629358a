import { readFlag } from '@parley/page/shell'
import { useEffect } from 'react'

import { isImportant } from '../../src/core/rank-resources.ts'
import { useStore } from '../store.ts'
import { changeDraft, useDraft } from './draft.ts'

/** Whether important resources are attached to new conversations. Off unless the person switched it on. */
export const importantFlag = 'chat-attach-important'

const most = 5

/**
 * Puts resources that their servers mark as needed by the model into the draft of a new conversation, where they can be
 * seen and taken out. Only if the person wants that.
 */
export function useImportant(isNew: boolean): void {
  const servers = useStore((store) => store.servers)
  const isEmpty = useDraft((draft) => draft.text === '' && draft.resources.length === 0)
  useEffect(() => {
    if (!isNew || !isEmpty || !readFlag(importantFlag, false)) return
    const found = servers.flatMap(({ name: server, resources }) =>
      resources
        .filter((resource) => isImportant({ ...resource, server }))
        .map(({ uri, name, size }) => ({ server, uri, name, size, isSuggested: true })),
    )
    if (found.length > 0) changeDraft({ resources: found.slice(0, most) })
    // Only when a conversation begins: what was taken out stays out.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isNew, servers])
}

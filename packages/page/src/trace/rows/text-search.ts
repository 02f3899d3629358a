import type { TraceRecord } from '@parley/foundation/trace'
import { useEffect, useState } from 'react'

import type { TraceSource } from '../source/source.ts'

/** Which records hold all of some texts, as far as they have been read. */
export interface FoundText {
  readonly seqs: ReadonlySet<number>
  readonly isSearching: boolean
}

const nothing: FoundText = { seqs: new Set(), isSearching: false }

/** Looks through the whole content of a trace, a page at a time, and through what comes after. */
export function useTextSearch(source: TraceSource, texts: readonly string[]): FoundText {
  const key = JSON.stringify(texts)
  const [found, setFound] = useState<FoundText>(nothing)

  useEffect(() => {
    // What was made with `stringify` above is a list of texts.
    const wanted = JSON.parse(key) as readonly string[]
    if (wanted.length === 0) {
      setFound(nothing)
      return undefined
    }
    const seqs = new Set<number>()
    let isStopped = false
    const scan = (records: readonly TraceRecord[]) => {
      for (const record of records) if (holds(record, wanted)) seqs.add(record.seq)
    }
    async function search() {
      for await (const records of source.pages()) {
        if (isStopped) return
        scan(records)
        setFound({ seqs: new Set(seqs), isSearching: true })
      }
      if (!isStopped) setFound({ seqs: new Set(seqs), isSearching: false })
    }
    setFound({ seqs, isSearching: true })
    search().catch(() => setFound({ seqs: new Set(seqs), isSearching: false })) // what was found stays
    const stop = source.onChange((added) => {
      const before = seqs.size
      scan(added)
      if (seqs.size > before) setFound({ seqs: new Set(seqs), isSearching: false })
    })
    return () => {
      isStopped = true
      stop()
    }
  }, [source, key])

  return found
}

function holds(record: TraceRecord, texts: readonly string[]): boolean {
  const whole = JSON.stringify(record).toLowerCase()
  return texts.every((text) => whole.includes(text) || whole.includes(escaped(text)))
}

/** As the text stands inside JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

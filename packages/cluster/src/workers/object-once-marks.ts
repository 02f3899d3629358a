import type { OnceMarks } from '../store/once-marks.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import type { ObjectDatabase } from './object-database.ts'

export function createObjectOnceMarks({ rows, step, now }: ObjectDatabase): OnceMarks {
  return {
    add: (key, keepMs) =>
      step(() => {
        rows('DELETE FROM parley_marks WHERE id = ? AND kept_until <= ?', key, now())
        const query =
          'INSERT INTO parley_marks (id, kept_until) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id'
        return rows(query, key, now() + wholeMs(keepMs)).length > 0
      }),
  }
}

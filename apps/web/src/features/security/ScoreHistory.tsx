import { formatDate } from '../../lib/format-time.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import css from './security.module.css'
import { scoreTone } from './security-words.ts'

type Score = { at: string; score: number }

const shown = 30

/** The scores of the runs so far, the newest on the right. */
export function ScoreHistory({ history }: { history: readonly Score[] }) {
  const scores = [...history].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-shown)
  if (scores.length < 2) return null
  return (
    <Panel title="Score history">
      <ol className={css['bars']} aria-label="Scores, oldest first">
        {scores.map(({ at, score }) => (
          <li key={at} className={css['bar']} title={`${formatDate(at)}: ${score} of 100`}>
            <Spoken>
              {formatDate(at)}: {score}
            </Spoken>
            <span className={css['level']} data-tone={scoreTone(score)} style={{ height: `${score}%` }} />
          </li>
        ))}
      </ol>
      <p className={css['axis']}>
        <DateTime at={scores[0]?.at ?? null} />
        <span>of 100</span>
        <DateTime at={scores.at(-1)?.at ?? null} />
      </p>
      <details className={css['passed']}>
        <summary>Show as table</summary>
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col" className={css['right']}>
                Score
              </th>
            </tr>
          </thead>
          <tbody>
            {scores.toReversed().map(({ at, score }) => (
              <tr key={at}>
                <td>
                  <DateTime at={at} show="date-time" />
                </td>
                <td className={css['right']}>{score}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Panel>
  )
}

import type { ScoreTerm, SystemAnalytics } from '@agency/contract/types'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import css from './analytics.module.css'
import { costliest, pointsText } from './score-words.ts'

type Props = { metrics: SystemAnalytics['platform_metrics']; onClose: () => void }

/** The terms of the score, and what would raise it most. */
export function ScoreDialog({ metrics: { performance_score: score, score_terms: terms }, onClose }: Props) {
  const most = costliest(terms)
  return (
    <DetailsDialog
      title="Platform Health Score"
      subtitle={score === null ? 'Unavailable: not enough data' : `${score} out of 100`}
      onClose={onClose}
    >
      <p>A weighted sum: each term has 0 to 100 points. Terms without data are left out.</p>
      {most ? (
        <p className={css['raise']}>
          <strong>Would raise it most:</strong> {most.label.toLowerCase()}, up to {pointsText(most.lost ?? 0)}.{' '}
          {most.worst ? (
            <>
              Most points lost at <SiteLink worst={most.worst} />.
            </>
          ) : null}
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section className={css['scroll']} tabIndex={0} aria-label="Terms of the score">
        <table className={css['terms']}>
          <thead>
            <tr>
              <th scope="col">Term</th>
              <th scope="col">Measured</th>
              <th scope="col">Weight</th>
              <th scope="col">Points</th>
              <th scope="col">Lost</th>
            </tr>
          </thead>
          <tbody>
            {terms.map((term) => (
              <Term key={term.key} term={term} />
            ))}
          </tbody>
        </table>
      </section>
    </DetailsDialog>
  )
}

function Term({ term: { label, definition, measured, weight, points, lost, worst } }: { term: ScoreTerm }) {
  return (
    <tr>
      <th scope="row">
        {label}
        <span className={css['definition']}>{definition}</span>
      </th>
      <td>
        {measured ?? 'Unavailable'}
        {worst ? (
          <span className={css['definition']}>
            Worst: <SiteLink worst={worst} />
          </span>
        ) : null}
      </td>
      <td>{points === null ? '—' : formatPercent(weight)}</td>
      <td>{points === null ? '—' : formatNumber(points, 1)}</td>
      <td>{lost === null ? '—' : formatNumber(lost, 1)}</td>
    </tr>
  )
}

function SiteLink({ worst: { site_id, site_name, measured } }: { worst: NonNullable<ScoreTerm['worst']> }) {
  return (
    <>
      <a href={paths.site(site_id)}>
        <bdi>{site_name}</bdi>
      </a>{' '}
      ({measured})
    </>
  )
}

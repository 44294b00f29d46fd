import type { Need } from '@agency/contract/types'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { useMayOpen } from '../../lib/screen-access.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Money } from '../../ui/Money.tsx'
import { MoreCurrencies } from '../../ui/MoreCurrencies.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './needs.module.css'
import { failedText, furtherOf, type NeedsAnswer, needWords } from './needs.ts'

const shownAtFirst = 3
const lifetimeMs = 11 * 60_000

/** What needs somebody now, the most money first; of what the person may see. */
export function NeedsPanel({ query }: { query: UseQueryResult<NeedsAnswer> }) {
  const [isWhole, setIsWhole] = useState(false)
  const answer = query.data
  // Nothing of it is for this person.
  if (answer?.sources.length === 0) return null
  const needs = answer?.needs ?? []
  const shown = isWhole ? needs : needs.slice(0, shownAtFirst)
  const failed = failedText(answer?.sources ?? [])
  return (
    <div className={css['needs']}>
      <Panel
        title="Needs you now"
        asOf={answer?.as_of ?? null}
        lifetimeMs={lifetimeMs}
        error={query.error}
        onRetry={() => void query.refetch()}
        loading={query.isPending}
        skeleton={
          <div className={css['waiting']}>
            <SkeletonLines count={shownAtFirst} silent />
          </div>
        }
        flush
        footer={
          needs.length > shownAtFirst ? (
            <Footer answer={answer} isWhole={isWhole} onToggle={() => setIsWhole(!isWhole)} />
          ) : undefined
        }
      >
        {failed ? (
          <p role="status" className={css['failed']}>
            Not loaded: {failed}.{' '}
            <Button size="small" onClick={() => void query.refetch()}>
              Try Again
            </Button>
          </p>
        ) : null}
        {needs.length === 0 ? (
          <EmptyState compact text={failed ? 'Nothing else needs you now.' : 'Nothing needs you now.'} />
        ) : (
          <ul className={css['list']} aria-label="Needs you now">
            {shown.map((need) => (
              <Row key={`${need.kind} ${need.id}`} need={need} />
            ))}
          </ul>
        )}
      </Panel>
    </div>
  )
}

/** For these the end is told in words. */
const ends = ['domain', 'certificate']

function Row({ need }: { need: Need }) {
  const { label, tone, action, isMonthly } = needWords[need.kind]
  const [first] = need.money ?? []
  const mayOpen = useMayOpen()
  return (
    <li className={css['row']}>
      <span className={css['kind']}>
        <StatusChip label={label} tone={tone} />
      </span>
      <span className={css['what']}>
        <bdi className={css['title']} title={need.title}>
          {need.title}
        </bdi>
        {need.detail ? (
          <bdi className={css['detail']} title={need.detail}>
            {need.detail}
          </bdi>
        ) : null}
      </span>
      <span className={css['when']}>{ends.includes(need.kind) ? null : <DateTime at={need.at} show="relative" />}</span>
      <span className={css['money']}>
        {first ? (
          <>
            <Money amount={first.amount} currency={first.currency} short={10} />
            {isMonthly ? <span className={css['muted']}>/mo</span> : null}
            <MoreCurrencies amounts={need.money ?? []} shown={first.currency} />
          </>
        ) : null}
      </span>
      <span className={css['act']}>
        {mayOpen(need.link) ? (
          <Button size="small" variant="outlined" href={need.link}>
            {action} <Spoken>{need.title}</Spoken>
          </Button>
        ) : null}
      </span>
    </li>
  )
}

type FooterProps = {
  answer: NeedsAnswer | undefined
  isWhole: boolean
  onToggle: () => void
}

function Footer({ answer, isWhole, onToggle }: FooterProps) {
  const mayOpen = useMayOpen()
  if (!answer) return null
  const { needs, sources } = answer
  return (
    <span className={css['footer']}>
      <Button size="small" aria-expanded={isWhole} onClick={onToggle}>
        {isWhole ? 'Show fewer' : `Show all ${formatCount(needs.length)}`}
      </Button>
      {isWhole
        ? furtherOf(sources, needs)
            .filter(({ kind }) => mayOpen(needWords[kind].all.href))
            .map(({ kind, total }) => (
              <a key={kind} href={needWords[kind].all.href}>
                All {formatCount(total)} {needWords[kind].all.label}
              </a>
            ))
        : null}
    </span>
  )
}

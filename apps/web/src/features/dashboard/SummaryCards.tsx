import type { DashboardHistory } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount, formatMoney, formatPercent } from '../../lib/format.ts'
import { overallLabels } from '../../lib/health-status.ts'
import { paths } from '../../lib/paths.ts'
import { sectionAccess, useMayOpen } from '../../lib/screen-access.ts'
import { useDenial } from '../../lib/session.ts'
import { Age } from '../../ui/Age.tsx'
import { Delta } from '../../ui/Delta.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Money } from '../../ui/Money.tsx'
import { MoreCurrencies } from '../../ui/MoreCurrencies.tsx'
import { StatCard } from '../../ui/StatCard.tsx'
import { CardHistory, historyQuery } from './CardHistory.tsx'
import css from './dashboard.module.css'
import type { Section, SectionData } from './dashboard-view.ts'
import { NewCustomers } from './NewCustomers.tsx'
import type { Dashboard } from './use-dashboard.ts'

const flow = 'last 30 days vs the 30 before'
const level = 'vs 30 days ago'

/** The figures that somebody may see. */
export function SummaryCards({ board }: { board: Dashboard }) {
  // The figures do not wait for their past.
  const history = useQuery(historyQuery).data?.history
  const seesSites = useDenial({ permission: sectionAccess.sites }) === undefined
  const seesStats = useDenial({ permission: sectionAccess.stats }) === undefined
  const health = <HealthCard section={board.view?.health} history={history} />
  return (
    <div className={css['cards']}>
      {seesSites ? <SitesCard section={board.view?.sites} history={history} /> : null}
      {seesStats ? <StatsCards section={board.view?.stats} health={health} history={history} /> : health}
    </div>
  )
}

type Known<T> = Section<T> | undefined

/** A figure that is not known stands as zero and is marked; one that is old shows its age. */
function stateOf<T>(section: Known<T>) {
  if (!section) return { state: 'loading' as const }
  const asOf = section.asOf ?? undefined
  return section.data === undefined ? { state: 'unavailable' as const } : { state: 'ready' as const, asOf }
}

function Stale({ section }: { section: Known<unknown> }) {
  return section?.error && section.asOf ? <Age at={section.asOf} failed /> : null
}

function Denied({ section }: { section: Known<unknown> }) {
  return section?.error?.code === 'forbidden' ? <span>{section.error.message}</span> : null
}

type Past = { history: DashboardHistory | undefined }

function SitesCard({ section, history }: Past & { section: Known<SectionData<'sites'>> }) {
  const totals = section?.data
  return (
    <StatCard
      {...stateOf(section)}
      label="Total Sites"
      href={paths.sites}
      icon={<Icon name="language" />}
      value={formatCount(totals?.total ?? 0)}
      chart={<CardHistory history={history} of="sites" />}
      note={
        totals ? (
          <>
            <Stale section={section} />
            <Delta {...totals.trend} period={level} format={formatCount} />
          </>
        ) : (
          <Denied section={section} />
        )
      }
    />
  )
}

type CardsProps = Past & { section: Known<SectionData<'stats'>>; health: ReactNode }

function StatsCards({ section, health, history }: CardsProps) {
  const stats = section?.data
  const state = stateOf(section)
  const stale = <Stale section={section} />
  const missing = <Denied section={section} />
  const mayOpen = useMayOpen()
  const linkTo = (path: string) => (mayOpen(path) ? path : undefined)
  return (
    <>
      <StatCard
        {...state}
        label="Active Subscriptions"
        href={paths.subscriptions}
        icon={<Icon name="cardFilled" />}
        value={formatCount(stats?.active_subscriptions ?? 0)}
        chart={<CardHistory history={history} of="subscriptions" />}
        note={
          stats ? (
            <>
              {stale}
              <Delta {...stats.trends.subscriptions} period={level} format={formatCount} />
            </>
          ) : (
            missing
          )
        }
      />
      <StatCard
        {...state}
        label="Total Revenue"
        href={linkTo(paths.revenueReport)}
        icon={<Icon name="payments" />}
        chart={<CardHistory history={history} of="revenue" />}
        value={stats ? <Money amount={stats.total_revenue} currency={stats.currency} short={11} /> : formatCount(0)}
        note={
          stats ? (
            <>
              {stale}
              <Delta {...stats.trends.revenue} period={flow} format={(amount) => formatMoney(amount, stats.currency)} />
              <MoreCurrencies
                shown={stats.currency}
                amounts={stats.by_currency.map((each) => ({ amount: each.total_revenue, currency: each.currency }))}
              />
            </>
          ) : (
            missing
          )
        }
      />
      {health}
      <StatCard
        {...state}
        label="Total Customers"
        href={linkTo(paths.customers)}
        icon={<Icon name="groups" />}
        value={formatCount(stats?.total_customers ?? 0)}
        chart={<CardHistory history={history} of="new_customers" />}
        note={
          stats ? (
            <>
              {stale}
              <NewCustomers trend={stats.trends.customers} />
            </>
          ) : (
            missing
          )
        }
      />
    </>
  )
}

function HealthCard({ section, history }: Past & { section: Known<SectionData<'health'>> }) {
  const health = section?.data?.health
  const overall = health ? overallLabels[health.overall] : overallLabels.degraded
  const percent = health?.uptime_percent_24h ?? null
  return (
    <StatCard
      {...stateOf(section)}
      label="System Health"
      href={paths.health}
      icon={<Icon name="heartFilled" />}
      tone={health && overall.tone !== 'success' ? overall.tone : 'neutral'}
      value={overall.label}
      chart={<CardHistory history={history} of="uptime" />}
      note={
        health ? (
          <>
            <Stale section={section} />
            <span>
              {percent === null
                ? 'Uptime of 24 hours not measured yet'
                : `Up ${formatPercent(percent, 2)} of the last 24 hours`}
            </span>
          </>
        ) : (
          <Denied section={section} />
        )
      }
    />
  )
}

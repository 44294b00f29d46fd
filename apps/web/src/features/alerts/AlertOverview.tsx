import type { AlertDetails } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { alertStatusChips } from '../../lib/alert-status.ts'
import { affectedText } from '../../lib/at-risk.ts'
import { formatCount } from '../../lib/format.ts'
import { incidentName } from '../../lib/incident-status.ts'
import { paths } from '../../lib/paths.ts'
import { AtRiskTable } from '../../ui/AtRisk.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EventList } from '../../ui/EventList.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { eventLabels } from './alert-words.ts'
import css from './alerts.module.css'

export function AlertOverview({ alert }: { alert: AlertDetails }) {
  return (
    <div className={css['sections']}>
      <p className={css['detail']}>
        <bdi>{alert.detail}</bdi>
      </p>
      <Facts facts={factsOf(alert)} />
      {alert.at_risk === null ? null : (
        <Section title="Revenue at risk">
          <AtRiskTable amounts={alert.at_risk} />
        </Section>
      )}
      {alert.child_alerts.length > 0 ? <Children alert={alert} /> : null}
      <Section title="Timeline">
        <EventList
          label="Timeline"
          events={alert.events.map(({ kind, ...event }) => ({ ...event, label: eventLabels[kind] }))}
        />
      </Section>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={css['heading']}>{title}</h3>
      {children}
    </section>
  )
}

function factsOf(alert: AlertDetails): Fact[] {
  const { incident_id, incident_number, acknowledged_at, snoozed_until, resolved_at, cause_id } = alert
  return [
    { label: 'Rule', value: <a href={paths.alertsOfRule(alert.rule)}>{alert.rule_name}</a> },
    { label: 'Opened', value: <DateTime at={alert.opened_at} show="date-time" /> },
    { label: 'Last seen', value: <DateTime at={alert.last_seen_at} show="relative" /> },
    { label: 'Affected', value: affectedText(alert) || 'No sites' },
    { label: 'Assignee', value: <bdi>{alert.assignee_name ?? 'Nobody'}</bdi> },
    {
      label: 'Incident',
      value:
        incident_id === null || incident_number === null ? (
          'None'
        ) : (
          <a href={paths.incident(incident_id)}>{incidentName(incident_number)}</a>
        ),
    },
    ...(acknowledged_at
      ? [{ label: 'Acknowledged', value: <By at={acknowledged_at} who={alert.acknowledged_by} /> }]
      : []),
    ...(alert.status === 'snoozed' && snoozed_until
      ? [{ label: 'Snoozed until', value: <DateTime at={snoozed_until} show="date-time" /> }]
      : []),
    ...(resolved_at
      ? [{ label: 'Resolved', value: <By at={resolved_at} who={alert.resolved_by ?? 'the console'} /> }]
      : []),
    ...(cause_id ? [{ label: 'Grouped under', value: <a href={paths.alert(cause_id)}>The common cause</a> }] : []),
  ]
}

function By({ at, who }: { at: string; who: string | null }) {
  return (
    <span>
      <DateTime at={at} show="date-time" />
      {who === null ? null : (
        <>
          {' '}
          by <bdi>{who}</bdi>
        </>
      )}
    </span>
  )
}

function Children({ alert: { child_alerts: shown, children } }: { alert: AlertDetails }) {
  return (
    <Section title={`Groups ${formatCount(children)} ${children === 1 ? 'alert' : 'alerts'}`}>
      <ul className={css['children']} aria-label="Child alerts">
        {shown.map(({ id, title, subject_name, link, status }) => (
          <li key={id} className={css['child']}>
            <span className={css['childWords']}>
              <a href={link ?? paths.alert(id)}>
                <bdi>{subject_name}</bdi>
              </a>
              <bdi className={css['muted']}>{title}</bdi>
            </span>
            <StatusChip {...alertStatusChips[status]} />
          </li>
        ))}
      </ul>
      {shown.length < children ? (
        <p className={css['muted']}>The first {formatCount(shown.length)} are listed.</p>
      ) : null}
    </Section>
  )
}

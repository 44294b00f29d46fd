import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { renderPiece } from '../../test/render.tsx'
import { Age } from './Age.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Delta } from './Delta.tsx'
import { EventList } from './EventList.tsx'
import { Money } from './Money.tsx'
import { Panel } from './Panel.tsx'
import { Person } from './Person.tsx'
import { Progress } from './Progress.tsx'
import { SearchField } from './SearchField.tsx'
import { StatCard } from './StatCard.tsx'
import { ToastProvider, useToast } from './Toast.tsx'

afterEach(() => {
  vi.useRealTimers()
})

function Buttons({ onUndo }: { onUndo: () => void }) {
  const toast = useToast()
  return (
    <>
      <button type="button" onClick={() => toast.success('Suspended Acme', onUndo)}>
        do
      </button>
      <button type="button" onClick={() => toast.error('Could not suspend', { message: 'Down', requestId: 'req_2' })}>
        fail
      </button>
    </>
  )
}

function Field({ onSearch }: { onSearch: (value: string) => void }) {
  const [value, setValue] = useState('')
  const handleSearch = (next: string) => {
    onSearch(next)
    setValue(next)
  }
  return <SearchField label="Search fruits" value={value} onSearch={handleSearch} delayMs={150} />
}

const fragile = { broken: false }

function FragileRows() {
  if (fragile.broken) throw new Error('Cannot read rows')
  return <p>rows</p>
}

describe('Delta', () => {
  const delta = (current: number, previous: number | null, percent: number | null, lessIsBetter = false) => (
    <Delta
      current={current}
      previous={previous}
      percent={percent}
      definition="Subscriptions that count"
      period="vs 30 days ago"
      format={String}
      lessIsBetter={lessIsBetter}
    />
  )

  test.each([
    [128, 119, 7.6, '↑ +7.6%vs 30 days ago'],
    [90, 100, -10, '↓ −10%vs 30 days ago'],
    [5, 5, 0, 'no changevs 30 days ago'],
    [5, 0, null, '↑ +5vs 30 days ago'],
    [5, null, null, 'nothing to compare yet'],
  ])('%i after %s (%s%%) reads %s', (current, previous, percent, text) => {
    renderPiece(delta(current, previous, percent))
    expect(screen.getByRole('button').textContent).toBe(text)
  })

  test('its hint has both values and the definition', () => {
    renderPiece(delta(128, 119, 7.6))
    expect(screen.getByRole('tooltip', { hidden: true }).textContent).toBe(
      'Now: 128Before: 119Subscriptions that count',
    )
  })
})

describe('what the console says of a name in another script', () => {
  const name = 'مكتبة النخيل'
  test('is not turned round by it; what somebody wrote is', () => {
    renderPiece(
      <>
        <Person name={name} />
        <Person name={`${name} is down`} isSentence />
        <EventList
          label="Timeline"
          events={[
            { id: '1', at: '2026-11-02T10:00:00Z', label: 'Opened', actor: null, text: `${name} is degraded` },
            { id: '2', at: '2026-11-02T10:00:00Z', label: 'Note', actor: 'Ada', text: `${name} called` },
          ]}
        />
      </>,
    )
    const direction = (text: string) => screen.getByText(text).getAttribute('dir')
    expect([`${name} is down`, `${name} is degraded`].map(direction)).toEqual(['ltr', 'ltr'])
    expect([name, `${name} called`].map(direction)).toEqual([null, null])
  })
})

describe('StatCard', () => {
  test('a figure that is not there is marked, not shown as a fact', () => {
    renderPiece(<StatCard label="Total Sites" value="0" state="unavailable" href="/admin/sites" />)
    expect(screen.getByText('Unavailable')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Total Sites' }).getAttribute('href')).toBe('/admin/sites')
  })

  test('unknown money is not zero', () => {
    renderPiece(<Money amount={null} currency="usd" />)
    expect(screen.getByText('Unavailable')).toBeDefined()
  })
})

describe('Panel', () => {
  const body = <p>rows</p>

  test('a first load that failed takes the body, and can be tried again', async () => {
    const onRetry = vi.fn()
    const { user } = renderPiece(
      <Panel title="Domains" error={{ message: 'Stripe is down', requestId: 'req_1' }} onRetry={onRetry}>
        {body}
      </Panel>,
    )
    const alert = screen.getByRole('alert')
    expect(alert.textContent).toContain('Failed to load this section')
    expect(alert.textContent).toContain('Stripe is down')
    expect(alert.textContent).toContain('req_1')
    expect(screen.queryByText('rows')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(onRetry).toHaveBeenCalledTimes(1)
  })

  test('an error without words reads as an unexpected one', () => {
    renderPiece(
      <Panel title="Domains" error={{ message: '' }}>
        {body}
      </Panel>,
    )
    expect(screen.getByText('An unexpected error occurred')).toBeDefined()
  })

  test('a refresh that failed keeps the rows and says so in the age', async () => {
    const onRetry = vi.fn()
    const { user } = renderPiece(
      <Panel title="Domains" asOf={Date.now() - 5 * 60_000} error={new Error('x')} onRetry={onRetry}>
        {body}
      </Panel>,
    )
    expect(screen.getByText('rows')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'retry' }))
    expect(onRetry).toHaveBeenCalledTimes(1)
  })

  test('a crash stays inside its section', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    fragile.broken = true
    const { user } = renderPiece(
      <>
        <Panel title="One">
          <FragileRows />
        </Panel>
        <Panel title="Two">two</Panel>
      </>,
    )
    expect(screen.getByText('Cannot read rows')).toBeDefined()
    expect(screen.getByText('two')).toBeDefined()
    fragile.broken = false
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(screen.getByText('rows')).toBeDefined()
  })

  test.each([
    [5, 10, 'false'],
    [11, 10, 'true'],
  ])('at %i minutes with a lifetime of %i it counts as old: %s', (age, lifetime, old) => {
    renderPiece(<Age at={Date.now() - age * 60_000} lifetimeMs={lifetime * 60_000} />)
    expect(screen.getByText(`${age} min`).parentElement?.dataset['old']).toBe(old)
  })
})

describe('ConfirmDialog', () => {
  const dialog = (props: Partial<Parameters<typeof ConfirmDialog>[0]> = {}) => (
    <ConfirmDialog
      title="Delete site"
      consequences={['The site goes offline']}
      confirmLabel="Delete acme.example"
      destructive
      onConfirm={() => {}}
      onClose={() => {}}
      {...props}
    />
  )
  const confirmButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Delete acme.example' })

  test('starts on its harmless button', () => {
    renderPiece(dialog())
    expect(screen.getByRole('alertdialog', { name: 'Delete site' })).toBeDefined()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }))
  })

  test('wants the name typed where nothing can be undone', async () => {
    const onConfirm = vi.fn()
    const { user } = renderPiece(dialog({ typedName: 'acme.example', onConfirm }))
    expect(document.activeElement).not.toBe(confirmButton())
    await user.click(confirmButton())
    expect(screen.getByRole('alert').textContent).toContain('Type acme.example to confirm')
    expect(onConfirm).not.toHaveBeenCalled()
    await user.type(screen.getByLabelText('Type acme.example to confirm'), 'acme.example')
    await user.click(confirmButton())
    expect(onConfirm).toHaveBeenCalledTimes(1)
  })

  test('while it is under way nothing can be pressed twice', () => {
    renderPiece(dialog({ pending: true }))
    expect(confirmButton().disabled).toBe(true)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true)
  })

  test('a failure is told with its request', () => {
    renderPiece(dialog({ error: { message: 'Nothing was deleted.', requestId: 'req_7' } }))
    expect(screen.getByRole('alert').textContent).toBe('Nothing was deleted.Request req_7')
  })
})

describe('Toast', () => {
  test('a success leaves by itself and can be undone; an error stays with its request', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const onUndo = vi.fn()
    const { user } = renderPiece(
      <ToastProvider>
        <Buttons onUndo={onUndo} />
      </ToastProvider>,
    )
    await user.click(screen.getByText('do'))
    await user.click(screen.getByText('fail'))
    await user.click(screen.getByText('fail'))
    expect(screen.getByRole('status').textContent).toContain('Suspended Acme')
    expect(screen.getAllByText('Could not suspend')).toHaveLength(1)
    expect(screen.getByRole('alert').textContent).toContain('req_2')
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(screen.queryByText('Suspended Acme')).toBeNull()
    expect(screen.getByText('Could not suspend')).toBeDefined()
    await user.click(screen.getByText('do'))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(onUndo).toHaveBeenCalledTimes(1)
  })
})

describe('SearchField', () => {
  test('asks once typing rests, is reached by / and emptied by Escape', async () => {
    const onSearch = vi.fn()
    const { user } = renderPiece(<Field onSearch={onSearch} />)
    await user.keyboard('/')
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search fruits' }))
    await user.keyboard('a/b ')
    await expect.poll(() => onSearch.mock.calls).toEqual([['a/b']])
    await user.keyboard('{Escape}')
    expect(onSearch).toHaveBeenLastCalledWith('')
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('')
  })
})

test('Progress says count, rate and what remains, and can be cancelled', async () => {
  const onCancel = vi.fn()
  const { user } = renderPiece(
    <Progress
      label="Export"
      done={500}
      total={2000}
      unit="rows"
      perSecond={100}
      remainingSeconds={15}
      onCancel={onCancel}
    />,
  )
  expect(screen.getByText('500 of 2,000 rows · 100 per second · about 15 s left')).toBeDefined()
  expect(screen.getByRole('progressbar', { name: 'Export' }).getAttribute('aria-valuenow')).toBe('25')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onCancel).toHaveBeenCalledTimes(1)
})

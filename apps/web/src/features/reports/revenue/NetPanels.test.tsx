import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '../../../../test/render.tsx'
import { NetPanels } from './NetPanels.tsx'

const known = (amount: number) => ({ amount, currency: 'usd', reason: null })

test('every bar whose amount is known leads to the rows behind it', () => {
  renderPage(
    <NetPanels
      gross={[
        {
          ...{ currency: 'usd', months: [], gross: 9000, refunds: 1000, disputes: 500, revenue: 7500, tax: 100 },
          ...{ fees: known(300), net: known(7200) },
        },
      ]}
      settlements={[
        {
          ...{ currency: 'usd', months: [], charges: 9000, refunds: 1000, disputes: 500, other: -20, fees: 300 },
          ...{ net: 7180, converted: 0 },
        },
      ]}
      deferred={[{ currency: 'usd', start: 1000, added: 500, recognized: 200, end: 1300 }]}
      hrefOf={(figure, currency) => `/rows/${figure}/${currency}`}
      definitions={[]}
    />,
  )
  const hrefsIn = (panel: string) =>
    within(screen.getByRole('list', { name: panel }))
      .getAllByRole('listitem')
      .map((bar) => within(bar).queryByRole('link')?.getAttribute('href'))
  expect(hrefsIn('Gross to net')).toEqual(
    ['gross', 'refunds', 'disputes', 'revenue', 'fees', 'net'].map((figure) => `/rows/${figure}/usd`),
  )
  expect(hrefsIn('Settled by Stripe')).toEqual([
    ...['charges', 'refunds', 'disputes', 'other'].map((figure) => `/rows/settled_${figure}/usd`),
    ...['/rows/fees/usd', '/rows/settled_net/usd'],
  ])
  expect(hrefsIn('Deferred revenue')).toEqual(
    ['deferred_start', 'deferred_added', 'deferred_recognized', 'deferred'].map((figure) => `/rows/${figure}/usd`),
  )
})

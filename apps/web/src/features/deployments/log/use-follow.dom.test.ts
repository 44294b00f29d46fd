import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFollow } from './use-follow.ts'

/** A log of a thousand pixels, of which a hundred are shown. */
function openLog() {
  const box = document.createElement('div')
  let height = 1000
  Object.defineProperty(box, 'clientHeight', { value: 100 })
  Object.defineProperty(box, 'scrollHeight', { get: () => height })
  const { result, rerender } = renderHook(() => useFollow({ current: box }, { isLive: true, line: null }))
  return {
    box,
    isOn: () => result.current.isOn,
    toggle: () => act(() => result.current.toggle()),
    draw: (more = 0) => {
      height += more
      act(() => rerender())
    },
  }
}

test('the end stays in sight while lines come', () => {
  const { box, isOn, draw } = openLog()
  draw(200)
  expect(box.scrollTop).toBe(1200)
  expect(isOn()).toBe(true)
})

test('a line that comes before the event of a scroll upwards pulls nobody back', () => {
  const { box, isOn, draw, toggle } = openLog()
  box.scrollTop = 500
  draw(20)
  expect(box.scrollTop).toBe(500)
  expect(isOn()).toBe(false)
  box.dispatchEvent(new Event('scroll'))
  toggle()
  expect(box.scrollTop).toBe(1020)
  expect(isOn()).toBe(true)
})

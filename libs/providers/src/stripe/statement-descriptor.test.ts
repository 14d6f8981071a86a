import { describe, expect, test } from 'vitest'
import {
  accountDescriptors,
  cardStatementText,
  statementDescriptorFault,
  statementDescriptorSuffix,
} from './statement-descriptor.ts'

describe('statementDescriptorFault', () => {
  test.each(['SMILE DENTAL', 'Zahnarzt Müller', 'A1', 'Visit 2026-11-21', 'a.b,c&d'])('%s passes', (text) => {
    expect(statementDescriptorFault(text)).toBeUndefined()
  })

  test.each(['a<b', 'a>b', 'a\\b', "a'b", 'a"b', 'a*b', '歯科医院', 'стома', '12345', '   ', 'tab\there'])(
    '%j is refused',
    (text) => {
      expect(statementDescriptorFault(text)).toBeTypeOf('string')
    },
  )
})

describe('statementDescriptorSuffix', () => {
  test('prefix, separator and suffix together have at most 22 characters', () => {
    expect(statementDescriptorSuffix('ABCDEFGHIJKLMNOPQRSTUV', 'SMILE')).toBe('ABCDEFGHIJKLMNO')
    expect(`SMILE* ${statementDescriptorSuffix('ABCDEFGHIJKLMNOPQRSTUV', 'SMILE')}`).toHaveLength(22)
  })

  test('an unknown prefix counts as the longest', () => {
    expect(statementDescriptorSuffix('ABCDEFGHIJKLMNOPQRSTUV', undefined)).toBe('ABCDEFGHIJ')
  })

  test('there is no suffix if the cut leaves no letter', () => {
    expect(statementDescriptorSuffix('1234567890 INVOICE', undefined)).toBeUndefined()
  })
})

describe('the text on a card statement', () => {
  test('is the prefix and what fits of the descriptor', () => {
    expect(cardStatementText('HARBOUR ST DENTAL', 'SMILE')).toBe('SMILE* HARBOUR ST DENT')
    expect(cardStatementText('VISIT', 'SMILE')).toBe('SMILE* VISIT')
  })

  test('cannot be told without a prefix, a descriptor, or a letter that fits', () => {
    expect(cardStatementText('VISIT', undefined)).toBeUndefined()
    expect(cardStatementText(undefined, 'SMILE')).toBeUndefined()
    expect(cardStatementText('123456789012345 VISIT', 'SMILE')).toBeUndefined()
  })
})

describe('accountDescriptors', () => {
  test('are the name without accents and refused characters', () => {
    expect(accountDescriptors('Dr. Åsa  O\'Brien * "Smile" Dental')).toEqual({
      descriptor: 'Dr. Asa OBrien Smile D',
      prefix: 'Dr. Asa OB',
    })
  })

  test('are absent if no Latin text is left', () => {
    expect(accountDescriptors('スマイル歯科')).toEqual({})
    expect(accountDescriptors('Vet')).toEqual({ prefix: 'Vet' })
  })
})

/** Names and colours of the cities. */

import type { ViewCityCode } from '../protocol';

interface CityLook {
  name: string; // as on the board, the same in every language
  field: string; // colour of the crest's field, the same as in the crest's drawing
  on: string; // colour of labels on that field
}

export const CITIES: Record<ViewCityCode, CityLook> = {
  BO: { name: 'Bologna', field: '#84402f', on: '#fff8ea' },
  FE: { name: 'Ferrara', field: '#3a5b8c', on: '#fff8ea' },
  FI: { name: 'Firenze', field: '#c1432e', on: '#fffaf0' },
  LU: { name: 'Lucca', field: '#477a50', on: '#fffaf0' },
  MI: { name: 'Milano', field: '#752a47', on: '#fff8ea' },
  PA: { name: 'Parma', field: '#cfa233', on: '#2a1f08' },
  PI: { name: 'Pistoia', field: '#b95a18', on: '#fffdf8' },
  RO: { name: 'Roma', field: '#64468a', on: '#fff8ea' },
  SI: { name: 'Siena', field: '#33302e', on: '#fff8ea' },
  VE: { name: 'Verona', field: '#2b777c', on: '#fffaf0' },
};

import { describe, expect, it } from 'vitest';
import { LANGUAGES, loadTopic, speak, type Language } from '../../src/lib/i18n.svelte';
import type { TurnReason, ViewDeck } from '../../src/protocol';
import analysis from '../../src/texts/en/analysis.json';
import { choiceWords } from '../../src/words/choices';
import { reasonWords } from '../../src/words/reasons';

const deck: ViewDeck = { name: 'classic', cards: { SI1: '2', RO4: 'K*', LU3: '>', VE2: '?' } };
const names = ['Anna', 'Bianca', 'Cosimo'];
const TOLD: readonly [Omit<TurnReason, 'of'>, en: string, de: string, nl: string, it: string][] = [
  [
    { kind: 'scores', city: 'SI', points: 7 },
    'Anna completes Siena: 7 points.',
    'Anna macht Siena fertig: 7 Punkte.',
    'Anna maakt Siena af: 7 punten.',
    'Anna completa Siena: 7 punti.',
  ],
  [
    { kind: 'gives', city: 'SI', points: 7, seat: 1 },
    'Anna completes Siena, and Bianca gets 7.',
    'Anna macht Siena fertig, und Bianca bekommt 7.',
    'Anna maakt Siena af, en Bianca krijgt 7.',
    'Anna completa Siena e Bianca prende 7.',
  ],
  [
    { kind: 'lead', city: 'SI', points: 7, tower: 'taller' },
    'Anna takes the lead in the taller tower of Siena, worth 7.',
    'Anna geht im höheren Turm von Siena in Führung, der 7 bringt.',
    'Anna neemt de leiding in de hoogste toren van Siena, goed voor 7.',
    'Anna passa in testa nella torre più alta di Siena, che vale 7.',
  ],
  [
    { kind: 'lead-from', city: 'SI', points: 4, tower: 'lower', seat: 1 },
    'Anna takes the lead in the lower tower of Siena from Bianca, worth 4.',
    'Anna nimmt Bianca die Führung im niedrigeren Turm von Siena ab, der 4 bringt.',
    'Anna neemt de leiding in de laagste toren van Siena over van Bianca, goed voor 4.',
    'Anna toglie a Bianca la testa nella torre più bassa di Siena, che vale 4.',
  ],
  [
    { kind: 'ahead', city: 'SI', points: 4, tower: 'left', floors: 2 },
    'Anna is 2 floors ahead in the left tower of Siena, worth at least 4.',
    'Anna führt im linken Turm von Siena, der mindestens 4 bringt, mit 2 Stockwerken Vorsprung.',
    'Anna ligt 2 etages voor in de linker toren van Siena, goed voor minstens 4.',
    'Anna ha 2 piani di vantaggio nella torre sinistra di Siena, che vale almeno 4.',
  ],
  [
    { kind: 'nears', city: 'SI', points: 7, tower: 'taller', seat: 2 },
    'Anna is only one floor behind Cosimo in the taller tower of Siena, worth 7.',
    'Anna liegt im höheren Turm von Siena, der 7 bringt, nur noch ein Stockwerk hinter Cosimo.',
    'Anna ligt nog maar één etage achter Cosimo in de hoogste toren van Siena, goed voor 7.',
    'Anna è a un solo piano da Cosimo nella torre più alta di Siena, che vale 7.',
  ],
  [
    { kind: 'unseats', city: 'SI', points: 4, tower: 'right', seat: 1 },
    'Bianca loses the lead in the right tower of Siena, worth at least 4.',
    'Bianca verliert die Führung im rechten Turm von Siena, der mindestens 4 bringt.',
    'Bianca verliest de leiding in de rechter toren van Siena, goed voor minstens 4.',
    'Bianca perde la testa nella torre destra di Siena, che vale almeno 4.',
  ],
  [
    { kind: 'drops', city: 'SI', points: 4, tower: 'lower' },
    'Anna gives up the lead in the lower tower of Siena, worth 4.',
    'Anna gibt die Führung im niedrigeren Turm von Siena auf, der 4 bringt.',
    'Anna geeft de leiding op in de laagste toren van Siena, goed voor 4.',
    'Anna cede la testa nella torre più bassa di Siena, che vale 4.',
  ],
  [
    { kind: 'taller', city: 'SI', points: 7 },
    'The tower that Anna leads in Siena becomes the taller one, worth 7.',
    'Der Turm, in dem Anna in Siena führt, wird der höhere und bringt 7.',
    'De toren waarin Anna leidt, wordt de hoogste van Siena, goed voor 7.',
    'La torre in cui è in testa Anna diventa la più alta di Siena e vale 7.',
  ],
  [
    { kind: 'taller-other', city: 'SI', points: 7, seat: 1 },
    'The tower that Bianca leads in Siena becomes the taller one, worth 7.',
    'Der Turm, in dem Bianca in Siena führt, wird der höhere und bringt 7.',
    'De toren waarin Bianca leidt, wordt de hoogste van Siena, goed voor 7.',
    'La torre in cui è in testa Bianca diventa la più alta di Siena e vale 7.',
  ],
  [
    { kind: 'set', heads: 3, noble: 'K', points: 6 },
    '3 Knights on the pile: +6.',
    '3 Ritter auf dem Stapel: +6.',
    '3 Ridders op de stapel: +6.',
    '3 Cavalieri nella pila: +6.',
  ],
  [
    { kind: 'portraits', heads: 2, noble: 'L' },
    '2 Ladies on the pile: one more Lady makes a set.',
    '2 Damen auf dem Stapel: Eine weitere Dame, und es gibt Punkte.',
    '2 Dames op de stapel: nog één Dame levert punten op.',
    '2 Dame nella pila: un’altra Dama e si fanno punti.',
  ],
  [
    { kind: 'draws-set', card: 'RO4', noble: 'K', points: 6 },
    'Anna takes Roma (a Knight): with it, three portraits of a kind are together, +6.',
    'Anna nimmt Roma (ein Ritter): Damit sind drei gleiche Köpfe beisammen, +6.',
    'Anna neemt Roma (een Ridder): daarmee zijn drie dezelfde koppen bij elkaar, +6.',
    'Anna prende Roma (un Cavaliere): con questa riunisce tre ritratti uguali, +6.',
  ],
  [
    { kind: 'draws-portraits', card: 'RO4', noble: 'K' },
    'Anna takes Roma (a Knight): after that, one more Knight makes a set.',
    'Anna nimmt Roma (ein Ritter): Danach fehlt nur noch ein Ritter, und es gibt Punkte.',
    'Anna neemt Roma (een Ridder): daarna levert nog één Ridder punten op.',
    'Anna prende Roma (un Cavaliere): poi basta un altro Cavaliere per fare punti.',
  ],
  [
    { kind: 'draws-finish', card: 'SI1', city: 'SI', points: 7 },
    'Anna takes Siena (two crests) and could complete the city with it, for 7.',
    'Anna nimmt Siena (zwei Wappen) und könnte die Stadt damit fertig machen, für 7.',
    'Anna neemt Siena (twee wapenschilden) en zou de stad daarmee kunnen afmaken, voor 7.',
    'Anna prende Siena (due stemmi), con cui potrebbe completare la città, per 7.',
  ],
  [
    { kind: 'draws-crests', card: 'SI1', city: 'SI' },
    'Anna takes Siena (two crests): two floors for Siena.',
    'Anna nimmt Siena (zwei Wappen): zwei Stockwerke für Siena.',
    'Anna neemt Siena (twee wapenschilden): twee etages voor Siena.',
    'Anna prende Siena (due stemmi): due piani per Siena.',
  ],
  [
    { kind: 'draws-action', card: 'LU3' },
    'Anna takes Lucca (special action): it can move a floor.',
    'Anna nimmt Lucca (Sonderaktion): Damit lässt sich ein Stockwerk versetzen.',
    'Anna neemt Lucca (speciale actie): daarmee kun je een etage verplaatsen.',
    'Anna prende Lucca (azione speciale): permette di spostare un piano.',
  ],
  [
    { kind: 'draws-free', card: 'VE2' },
    'Anna takes Verona (free draw): it allows a free choice among the cards.',
    'Anna nimmt Verona (freies Nachziehen): Damit darf man sich eine Karte aussuchen.',
    'Anna neemt Verona (vrij nemen): daarmee mag je een kaart uitkiezen.',
    'Anna prende Verona (pesca libera): permette di scegliere qualsiasi carta.',
  ],
  [
    { kind: 'keeps-away', card: 'SI1', city: 'SI', points: 7, seat: 1 },
    'Anna takes Siena (two crests): Bianca could have completed the city with it, for 7.',
    'Anna nimmt Siena (zwei Wappen): Bianca hätte die Stadt damit fertig machen können, für 7.',
    'Anna neemt Siena (twee wapenschilden): Bianca had de stad daarmee kunnen afmaken, voor 7.',
    'Anna prende Siena (due stemmi): Bianca avrebbe potuto usarla per completare la città, per 7.',
  ],
  [
    { kind: 'keeps-set', card: 'RO4', noble: 'K', points: 6, seat: 2 },
    'Anna takes Roma (a Knight): with it, Cosimo could have had three Knights together, +6.',
    'Anna nimmt Roma (ein Ritter): Cosimo hätte damit drei Ritter beisammen gehabt, +6.',
    'Anna neemt Roma (een Ridder): Cosimo had daarmee drie Ridders bij elkaar gehad, +6.',
    'Anna prende Roma (un Cavaliere): con questa Cosimo avrebbe riunito tre Cavalieri, +6.',
  ],
  [
    { kind: 'messenger', pair: 'LU-SI', points: 4, towers: 2 },
    'The messenger between Lucca and Siena counts for 2 towers that Anna leads: +4.',
    'Der Bote zwischen Lucca und Siena zählt für 2 Türme, in denen Anna führt: +4.',
    'De bode tussen Lucca en Siena telt voor 2 torens waarin Anna leidt: +4.',
    'Il messaggero tra Lucca e Siena conta per 2 torri in cui Anna è in testa: +4.',
  ],
  [
    { kind: 'messenger-other', pair: 'LU-SI', points: 2, towers: 1, seat: 2 },
    'The messenger between Lucca and Siena counts for one tower that Cosimo leads: 2 for Cosimo.',
    'Der Bote zwischen Lucca und Siena zählt für einen Turm, in dem Cosimo führt: 2 für Cosimo.',
    'De bode tussen Lucca en Siena telt voor één toren waarin Cosimo leidt: 2 voor Cosimo.',
    'Il messaggero tra Lucca e Siena conta per una torre in cui Cosimo è in testa: 2 per Cosimo.',
  ],
  [
    { kind: 'leaves', card: 'SI1', city: 'SI', points: 7, seat: 1 },
    'Bianca holds Siena (two crests) and can complete the city with it now, for 7.',
    'Bianca hat Siena (zwei Wappen) auf der Hand und kann die Stadt damit jetzt fertig machen, für 7.',
    'Bianca heeft Siena (twee wapenschilden) in de hand en kan de stad daar nu mee afmaken, voor 7.',
    'Bianca ha in mano Siena (due stemmi) e ora può completare la città, per 7.',
  ],
  [
    { kind: 'exposes', card: 'SI1', city: 'SI', seat: 1 },
    'Bianca can take the lead in a tower of Siena from Anna with Siena (two crests).',
    'Bianca kann Anna mit Siena (zwei Wappen) die Führung in einem Turm von Siena abnehmen.',
    'Bianca kan met Siena (twee wapenschilden) de leiding in een toren van Siena overnemen van Anna.',
    'Con Siena (due stemmi), Bianca può superare Anna in una torre di Siena.',
  ],
  [
    { kind: 'denies', card: 'SI1', city: 'SI', points: 3, seat: 1 },
    'Bianca holds Siena (two crests), but gets 3 less now for completing the city.',
    'Bianca hat Siena (zwei Wappen) auf der Hand, bekommt aber jetzt 3 weniger, wenn die Stadt damit fertig wird.',
    'Bianca heeft Siena (twee wapenschilden) in de hand, maar krijgt nu 3 minder voor het afmaken van de stad.',
    'Bianca ha in mano Siena (due stemmi), ma ora prende 3 in meno se completa la città.',
  ],
  [
    { kind: 'leaves-display', card: 'SI1', city: 'SI', points: 7, seat: 1 },
    'Anna leaves Siena (two crests) for Bianca, who could complete the city with it, for 7.',
    'Anna lässt Siena (zwei Wappen) für Bianca liegen: Damit ließe sich die Stadt fertig machen, für 7.',
    'Anna laat Siena (twee wapenschilden) liggen voor Bianca, die er de stad mee zou kunnen afmaken, voor 7.',
    'Anna lascia Siena (due stemmi) a Bianca, che potrebbe usarla per completare la città, per 7.',
  ],
  [
    { kind: 'leaves-set', card: 'RO4', noble: 'K', points: 6, seat: 1 },
    'Anna leaves Roma (a Knight) for Bianca, who would have three Knights together with it, +6.',
    'Anna lässt Roma (ein Ritter) für Bianca liegen: Damit wären drei Ritter beisammen, +6.',
    'Anna laat Roma (een Ridder) liggen voor Bianca, die daarmee drie Ridders bij elkaar zou hebben, +6.',
    'Anna lascia Roma (un Cavaliere) a Bianca, che riunirebbe tre Cavalieri, +6.',
  ],
  [
    { kind: 'wins' },
    'Worked out to the end: Anna wins.',
    'Bis zum Ende ausgerechnet: Anna gewinnt.',
    'Tot het einde uitgerekend: Anna wint.',
    'Calcolato fino alla fine: vince Anna.',
  ],
  [
    { kind: 'shares' },
    'Worked out to the end: Anna shares the victory.',
    'Bis zum Ende ausgerechnet: Anna teilt sich den Sieg.',
    'Tot het einde uitgerekend: Anna deelt de overwinning.',
    'Calcolato fino alla fine: Anna condivide la vittoria.',
  ],
  [
    { kind: 'loses' },
    'Worked out to the end: Anna does not win.',
    'Bis zum Ende ausgerechnet: Anna gewinnt nicht.',
    'Tot het einde uitgerekend: Anna wint niet.',
    'Calcolato fino alla fine: Anna non vince.',
  ],
];
const COLUMNS: readonly Language[] = ['en', 'de', 'nl', 'it'];

describe.each(COLUMNS)('a reason in %s', (language) => {
  it.each(TOLD)('says who does what to whom: $kind', async (reason, ...sentences) => {
    await speak(language);
    await loadTopic('analysis');
    const told = reasonWords({ ...reason, of: 'played' }, 'Anna', names, deck);
    expect(told).toBe(sentences[COLUMNS.indexOf(language)]);
  });
});

it('knows every kind of reason', async () => {
  await speak('en');
  await loadTopic('analysis');
  const described = Object.keys(analysis).filter((key) => key.startsWith('why.'));
  expect(TOLD.map(([reason]) => `why.${reason.kind}`).toSorted()).toEqual(described.toSorted());
});

it('names every noble as it is', async () => {
  const told: string[] = [];
  for (const language of COLUMNS) {
    await speak(language);
    await loadTopic('analysis');
    for (const noble of ['L', 'B', 'K'] as const)
      told.push(
        reasonWords({ kind: 'portraits', of: 'played', heads: 5, noble }, 'Anna', names, deck),
      );
  }
  expect(told).toEqual([
    '5 Ladies on the pile: one more Lady makes a set.',
    '5 Bankers on the pile: one more Banker makes a set.',
    '5 Knights on the pile: one more Knight makes a set.',
    '5 Damen auf dem Stapel: Eine weitere Dame, und es gibt Punkte.',
    '5 Bankiers auf dem Stapel: Ein weiterer Bankier, und es gibt Punkte.',
    '5 Ritter auf dem Stapel: Ein weiterer Ritter, und es gibt Punkte.',
    '5 Dames op de stapel: nog één Dame levert punten op.',
    '5 Bankiers op de stapel: nog één Bankier levert punten op.',
    '5 Ridders op de stapel: nog één Ridder levert punten op.',
    '5 Dame nella pila: un’altra Dama e si fanno punti.',
    '5 Banchieri nella pila: un altro Banchiere e si fanno punti.',
    '5 Cavalieri nella pila: un altro Cavaliere e si fanno punti.',
  ]);
});

it('tells a turn in a line', async () => {
  await speak('en');
  await loadTopic('analysis');
  expect(choiceWords('SI1:LL', deck, null)).toBe('Siena (two crests), both left');
  expect(choiceWords('LU3:L>MI.R+RO@PA-VE', deck, null)).toBe(
    'Lucca (special action), left; moves a floor in Milano from right to left; ' +
      'takes the card at Roma; messenger between Parma and Verona',
  );
});

it('keeps a topic when the language changes', async () => {
  await speak('en');
  await loadTopic('analysis');
  await speak('de');
  expect(choiceWords('SI1:LR', deck, null)).toBe('Siena (zwei Wappen), auf jeden Turm eines');
});

it('loads a topic and a language at the same time', async () => {
  await Promise.all([speak('it'), loadTopic('analysis'), speak('nl')]);
  expect(choiceWords('SI1:LR', deck, null)).toBe('Siena (twee wapenschilden), één op elke toren');
});

/* Yardstick: random games of Patrizier in plain C, on one core.
 *   cc -O3 -march=native -o yardstick yardstick.c
 *   yardstick PLAYERS MESSENGERS(0|1) GAMES SEED
 *
 * Plays whole games (random deal, every decision uniform among the legal ones, final scoring) with the
 * `classic` deck and prints one line of JSON. Figures per seat are by position in turn order, first player
 * first. Build with -DCHECK to have every game checked.
 *
 * Decisions of a turn, as counted: the build (card x sites; always counted), the special action (when a move
 * is possible), the draw (when it is free and at least two cards lie out), the messenger (when a place is legal).
 */
#define _POSIX_C_SOURCE 200809L
#ifndef CHECK
#define NDEBUG
#endif
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CITIES = 10, CARDS = 55, SEATS = 5, EDGES = 12, HAND = 3, LEVELS = 10, NONE = 255 };
enum { BO, FI, RO, LU, SI, MI, FE, PA, VE, PI }; /* Pistoia last: four players use a prefix */
enum { PLAIN, FREE_DRAW, MOVE };
#define FLOORS(players) ((players) == 2 ? 39 : (players) == 3 ? 29 : 21)

static const uint8_t capacity[CITIES] = {9, 9, 9, 7, 7, 7, 5, 5, 5, 9};

/* 2: two crests, ?: free draw, >: move, L B K: a noble's head, *: star */
static const char *const deck_text[CITIES] = {
    [BO] = "2 2 ? L* B* K LL", [FI] = "2 2 > B* K* L BB", [RO] = "2 2 ? K* L* B KK",
    [LU] = "2 2 > B* LL",      [SI] = "2 2 ? K* BB",      [MI] = "2 2 ? L* KK",
    [FE] = "2 > L* B*",        [PA] = "2 ? B* K*",        [VE] = "2 > K* L*",
    [PI] = "2 2 > L* B* K LL",
};

static const uint8_t edges[EDGES][2] = { /* Pistoia's last */
    {RO, SI}, {SI, LU}, {SI, BO}, {LU, MI}, {LU, FE}, {MI, PA},
    {PA, VE}, {VE, FE}, {FE, BO}, {BO, FI}, {RO, PI}, {PI, FI},
};

typedef struct { uint8_t city, crests, power, noble, heads, star; } Card;
static Card deck[CARDS];
static uint8_t star_cards[CARDS], other_cards[CARDS]; /* card numbers in play, by kind */
static int n_cards, n_stars, n_others;

typedef struct {
    uint8_t height[CITIES][2];
    uint8_t count[CITIES][2][SEATS]; /* floors of each seat in each tower */
    uint8_t missing[CITIES];         /* floors still to build; 0: complete and scored */
    uint8_t at_city[CITIES];         /* messengers at each city */
    uint8_t edge_used[EDGES];
    uint8_t heads[SEATS][3];
    uint8_t tokens[SEATS], chips[SEATS]; /* points */
    uint8_t supply[SEATS], messengers[SEATS], n_hand[SEATS];
    /* from here on nothing needs clearing */
    uint8_t owner[CITIES][2][LEVELS]; /* seat that owns each floor, bottom up */
    uint8_t hand[SEATS][HAND];
    uint8_t face[CITIES]; /* the open card at each city, or NONE */
    uint8_t pile[CARDS];
    int n_pile, n_face, points[SEATS];
} Game;

static uint64_t rng_state;

/* splitmix64, the upper half */
static inline uint32_t random32(void) {
    uint64_t z = (rng_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

/* uniform in 0..bound-1: Lemire's multiplication with rejection */
static inline int below(int bound) {
    uint32_t n = (uint32_t)bound;
    uint64_t m = (uint64_t)random32() * n;
    if ((uint32_t)m < n)
        for (uint32_t threshold = -n % n; (uint32_t)m < threshold;)
            m = (uint64_t)random32() * n;
    return (int)(m >> 32);
}

static void make_deck(int n_cities) {
    for (int c = 0; c < n_cities; c++) {
        for (const char *s = deck_text[c]; *s; s += *s == ' ') {
            Card k = {.city = (uint8_t)c, .crests = 1};
            for (; *s && *s != ' '; s++) {
                k.crests += *s == '2';
                k.star |= *s == '*';
                k.power = *s == '?' ? FREE_DRAW : *s == '>' ? MOVE : k.power;
                k.noble = *s == 'B' ? 1 : *s == 'K' ? 2 : k.noble;
                k.heads += *s == 'L' || *s == 'B' || *s == 'K';
            }
            *(k.star ? &star_cards[n_stars++] : &other_cards[n_others++]) = (uint8_t)n_cards;
            deck[n_cards++] = k;
        }
    }
}

static void deal(Game *g, int players, int n_cities, int with_messengers) {
    memset(g, 0, offsetof(Game, owner));
    memcpy(g->missing, capacity, (size_t)n_cities);
    uint8_t stars[CARDS];
    memcpy(stars, star_cards, sizeof stars);
    int left = n_stars;
    for (int p = 0; p < players; p++) {
        for (int i = 0; i < HAND; i++) { /* Fisher-Yates, as far as cards are dealt */
            int r = below(left);
            g->hand[p][i] = stars[r];
            stars[r] = stars[--left];
        }
        g->n_hand[p] = HAND;
        g->supply[p] = FLOORS(players);
        g->messengers[p] = !with_messengers ? 0 : players <= 3 ? 2 : 1;
    }
    memcpy(g->pile, other_cards, sizeof g->pile);
    memcpy(g->pile + n_others, stars, (size_t)left);
    g->n_pile = n_others + left;
    for (int i = g->n_pile - 1; i > 0; i--) {
        int r = below(i + 1), t = g->pile[i];
        g->pile[i] = g->pile[r];
        g->pile[r] = (uint8_t)t;
    }
    for (int c = 0; c < n_cities; c++) g->face[c] = g->pile[--g->n_pile];
    g->n_face = n_cities;
}

/* Adds 0, 1 or 2 floors. Writing two owners always is cheaper than a branch; what lies above the top is unused. */
static inline void build(Game *g, int city, int site, int seat, int floors) {
    uint8_t *top = &g->owner[city][site][g->height[city][site]];
    top[0] = top[1] = (uint8_t)seat;
    g->height[city][site] += (uint8_t)floors;
    g->count[city][site][seat] += (uint8_t)floors;
}

/* Most floors takes the token; among the tied, the owner of the highest floor. */
static void score_city(Game *g, int city, int players) {
    int taller = g->height[city][1] > g->height[city][0];
    for (int lower = 0; lower < 2; lower++) {
        int site = taller ^ lower, most = 0;
        const uint8_t *count = g->count[city][site];
        for (int p = 0; p < players; p++) most = count[p] > most ? count[p] : most;
        int level = g->height[city][site] - 1;
        while (count[g->owner[city][site][level]] < most) level--;
        int winner = g->owner[city][site][level];
        g->tokens[winner] += (uint8_t)(capacity[city] - 3 * lower);
        g->chips[winner] += (uint8_t)(2 * g->at_city[city]);
    }
}

/* Step 3; returns the number of decisions (0 or 1). */
static int special_action(Game *g, int seat, int built, int n_cities) {
    uint8_t from[2 * CITIES];
    int n = 0;
    for (int c = 0; c < n_cities; c++) {
        int ok = (c != built) & (g->missing[c] > 0) & (g->count[c][0][seat] + g->count[c][1][seat] > 0);
        for (int site = 0; site < 2; site++) {
            from[n] = (uint8_t)(2 * c + site);
            n += ok & (g->height[c][site] > 0);
        }
    }
    if (!n) return 0;
    int r = below(n + 1);
    if (r < n) { /* else declined */
        int c = from[r] >> 1, site = from[r] & 1;
        int top = g->owner[c][site][--g->height[c][site]];
        g->count[c][site][top]--;
        build(g, c, !site, top, 1);
    }
    return 1;
}

/* After the refill; returns the number of decisions (0 or 1). */
static int messenger(Game *g, int seat, int built, int n_edges) {
    uint8_t free_edges[EDGES];
    int n = 0;
    for (int e = 0; e < n_edges; e++) {
        int a = edges[e][0], b = edges[e][1];
        free_edges[n] = (uint8_t)e;
        n += !g->edge_used[e] & (a != built) & (b != built) & (g->at_city[a] < 2) & (g->at_city[b] < 2);
    }
    if (!n) return 0;
    int r = below(n + 1);
    if (r < n) { /* else declined */
        int e = free_edges[r];
        g->edge_used[e] = 1;
        g->at_city[edges[e][0]]++;
        g->at_city[edges[e][1]]++;
        g->messengers[seat]--;
    }
    return 1;
}

/* One turn; returns the number of decisions. */
static inline int turn(Game *g, int seat, int players, int n_cities, int n_edges) {
    int decisions = 1;
    /* 1, 2: card and floors. With k crests 0..k of them go left; if they are the last floors of the city
     * and a site is empty, it must get one of them. */
    int low[HAND], end[HAND], n = 0, n_hand = g->n_hand[seat];
    for (int i = 0; i < n_hand; i++) {
        const Card *k = &deck[g->hand[seat][i]];
        int last = g->missing[k->city] == k->crests;
        low[i] = last & !g->height[k->city][0];
        n += k->crests + 1 - low[i] - (last & !g->height[k->city][1]);
        end[i] = n;
    }
    int r = below(n), slot = 0, before = 0;
    for (int i = 0; i < n_hand - 1; i++) {
        slot += r >= end[i];
        before = r >= end[i] ? end[i] : before;
    }
    const Card card = deck[g->hand[seat][slot]];
    int city = card.city, left = low[slot] + r - before;
    g->heads[seat][card.noble] += card.heads;
    build(g, city, 0, seat, left);
    build(g, city, 1, seat, card.crests - left);
    g->supply[seat] -= card.crests;
    g->missing[city] -= card.crests;
    if (!g->missing[city]) score_city(g, city, players);
    if (card.power == MOVE) decisions += special_action(g, seat, city, n_cities);

    /* 4, 5: draw and refill; when free, from any city with a card */
    int from = city;
    if (g->n_face && (card.power == FREE_DRAW || g->face[city] == NONE)) {
        uint8_t open[CITIES];
        int n_open = 0;
        for (int c = 0; c < n_cities; c++) {
            open[n_open] = (uint8_t)c;
            n_open += g->face[c] != NONE;
        }
        from = open[0];
        if (n_open > 1) from = open[below(n_open)], decisions++;
    }
    if (g->n_face) {
        g->hand[seat][slot] = g->face[from];
        if (g->n_pile)
            g->face[from] = g->pile[--g->n_pile];
        else
            g->face[from] = NONE, g->n_face--;
    } else {
        g->hand[seat][slot] = g->hand[seat][--g->n_hand[seat]];
    }
    if (card.star && g->messengers[seat]) decisions += messenger(g, seat, city, n_edges);
    return decisions;
}

/* The seat that takes the -3 chip, or -1: fewest towers at messengers' cities, then fewest floors there. */
static int minus_three(const Game *g, int players, int n_cities) {
    int best = INT_MAX, who = -1;
    for (int p = 0; p < players; p++) {
        int presence = 0; /* towers first, floors second */
        for (int c = 0; c < n_cities; c++)
            if (g->at_city[c])
                for (int site = 0; site < 2; site++)
                    presence += g->count[c][site][p] + 256 * (g->count[c][site][p] > 0);
        if (presence < best)
            best = presence, who = p;
        else if (presence == best)
            who = -1;
    }
    return who;
}

/* Points into g->points; returns the set of winners as bits. */
static int final_score(Game *g, int players, int n_cities, int with_messengers) {
    int chip = with_messengers ? minus_three(g, players, n_cities) : -1;
    int best = INT_MIN, winners = 0;
    for (int p = 0; p < players; p++) {
        const uint8_t *h = g->heads[p];
        g->points[p] = g->tokens[p] + g->chips[p] + 6 * (h[0] / 3 + h[1] / 3 + h[2] / 3) - 3 * (p == chip);
        int rank = 64 * g->points[p] + g->supply[p]; /* tie: fewest floors on the board */
        if (rank > best)
            best = rank, winners = 1 << p;
        else if (rank == best)
            winners |= 1 << p;
    }
    return winners;
}

#ifdef CHECK
static void check_end(const Game *g, int players, int n_cities) {
    int tokens = 0, worth = 0, heads = 0, supply = 0, floors = 0;
    for (int c = 0; c < n_cities; c++) {
        assert(!g->missing[c] && g->face[c] == NONE && g->at_city[c] <= 2 && g->height[c][0] && g->height[c][1]);
        assert(g->height[c][0] + g->height[c][1] == capacity[c]);
        worth += 2 * capacity[c] - 3;
        floors += capacity[c];
    }
    for (int p = 0; p < players; p++) {
        assert(!g->n_hand[p] && g->supply[p] <= 39);
        tokens += g->tokens[p];
        heads += g->heads[p][0] + g->heads[p][1] + g->heads[p][2];
        supply += g->supply[p];
    }
    assert(n_cards == (players == 5 ? 55 : 48) && !g->n_pile && !g->n_face && tokens == worth);
    assert(heads == (players == 5 ? 35 : 30) && supply + floors == players * FLOORS(players));
}
#endif

int main(int argc, char **argv) {
    int players = argc == 5 ? atoi(argv[1]) : 0, with_messengers = argc == 5 ? atoi(argv[2]) : 0;
    long long games = argc == 5 ? atoll(argv[3]) : 0;
    if (players < 2 || players > SEATS || (with_messengers & ~1) || games < 1) {
        fprintf(stderr, "usage: yardstick PLAYERS(2-5) MESSENGERS(0|1) GAMES SEED\n");
        return 2;
    }
    rng_state = strtoull(argv[4], NULL, 10);
    int n_cities = players == 5 ? 10 : 9, n_edges = players == 5 ? 12 : 10;
    make_deck(n_cities);
    static Game g;
    long long decisions = 0, points[SEATS] = {0};
    double wins[SEATS] = {0};
    struct timespec t0, t1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
    for (long long i = 0; i < games; i++) {
        deal(&g, players, n_cities, with_messengers);
        int first = below(players);
        for (int t = 0, seat = first; t < n_cards; t++, seat = seat + 1 == players ? 0 : seat + 1) {
            assert(g.n_hand[seat]);
            decisions += turn(&g, seat, players, n_cities, n_edges);
        }
        int winners = final_score(&g, players, n_cities, with_messengers);
        double share = 1.0 / __builtin_popcount((unsigned)winners);
        for (int k = 0, p = first; k < players; k++, p = p + 1 == players ? 0 : p + 1) {
            points[k] += g.points[p];
            wins[k] += winners >> p & 1 ? share : 0;
        }
#ifdef CHECK
        check_end(&g, players, n_cities);
#endif
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
    double seconds = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);

    printf("{\"players\":%d,\"messengers\":%s,\"games\":%lld,\"seconds\":%.6f,\"games_per_second\":%.1f,"
           "\"decisions_per_second\":%.1f,\"decisions\":%lld,\"mean_points\":[",
           players, with_messengers ? "true" : "false", games, seconds, (double)games / seconds,
           (double)decisions / seconds, decisions);
    for (int k = 0; k < players; k++)
        printf("%s%.4f", k ? "," : "", (double)points[k] / (double)games);
    printf("],\"win_share\":[");
    for (int k = 0; k < players; k++)
        printf("%s%.5f", k ? "," : "", wins[k] / (double)games);
    return puts("]}") < 0;
}
